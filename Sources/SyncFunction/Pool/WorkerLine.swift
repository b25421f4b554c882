import Dispatch
import Glibc
import Logging
import Synchronization

/// A thread with one worker at a time, which is replaced when it ends or has to be ended.
final class WorkerLine: Sendable {
    let queue: DispatchQueue
    private let executable: String
    private let limits: SyncFunctionLimits
    private let logger: Logger
    /// Used on `queue` only, which `trip` checks; the lock is for the compiler.
    private let worker = Mutex<WorkerProcess?>(nil)

    /// The state that other threads may use while the worker is busy.
    private struct Control {
        var process: ChildProcess?
        var isAborted = false
    }

    private let control = Mutex(Control())

    init(number: Int, executable: String, limits: SyncFunctionLimits, logger: Logger) {
        queue = DispatchQueue(label: "fieldbook.sync-function.\(number)")
        self.executable = executable
        self.limits = limits
        self.logger = logger
    }

    /// Sends calls to the worker, once.
    ///
    /// The first failure of a trip does not show which call caused it, if any did: the worker may have died before. So
    /// the rest is tried again in a new worker that sends each answer at once: then the first call without an answer is
    /// at fault, and the ones behind it are run again. A call that lacked memory may have failed because of earlier
    /// calls; in a new worker only it can be the cause.
    ///
    /// - Parameter cut: how long a call may take before the worker is needed for others, see `CallTimeout`. It then has
    ///   no end yet.
    func trip(
        _ calls: [PendingCall], with care: TripCare, cutAfter cut: Duration?
    ) throws(SyncFunctionError) -> TripEnd {
        dispatchPrecondition(condition: .onQueue(queue))
        if care == .newWorker { end() }
        let (answers, failure, work) = try answers(to: calls, isCareful: care != .usual, cutAfter: cut)
        if failure != nil, control.withLock({ $0.isAborted }) { throw SyncFunctionError(.closed) }
        let isLong = work > SyncFunctionLimits.slowTrip && calls.allSatisfy { $0.size < SyncFunctionLimits.largeCall }
        let wasSlow = isLong || failure == .cut || failure == .tooSlow
        var end = TripEnd(ends: answers.map(CallEnd.answered), wasSlow: wasSlow)
        if let hungry = answers.firstIndex(of: .noMemory) {
            let isToBlame = care == .newWorker && hungry == 0
            end.ends = Array(end.ends[..<(isToBlame ? 1 : hungry)])
            if isToBlame { end.wasSlow = true }
            end.careOfRest = .newWorker
            replaceWorker(because: "it had no memory left")
        } else if let failure {
            note(failure, with: care, isAlone: calls.count - answers.count == 1, in: &end)
            end.careOfRest = .newWorker
        } else {
            end.careOfRest = care == .usual ? .usual : .oneByOne
        }
        return end
    }

    /// - Parameter isAlone: the call without an answer was the last one.
    private func note(_ failure: WorkerProcess.Failure, with care: TripCare, isAlone: Bool, in end: inout TripEnd) {
        switch failure {
        case .cut:
            replaceWorker(because: "others wait")
        case .tooSlow:
            if isAlone || care != .usual { end.ends.append(.tooSlow) }
            replaceWorker(because: "it took too long")
        case .gone:
            if care == .newWorker {
                end.ends.append(.crashed)
                end.wasSlow = true
            }
            replaceWorker(because: "it died")
        }
    }

    private func answers(
        to calls: [PendingCall], isCareful: Bool, cutAfter cut: Duration?
    ) throws(SyncFunctionError) -> (answers: [WorkerAnswer], failure: WorkerProcess.Failure?, work: Duration) {
        try worker.withLock { worker throws(SyncFunctionError) in
            if worker == nil || worker?.isFull == true {
                worker?.end()
                worker = nil
                worker = try newWorker()
            }
            guard let current = worker else { throw SyncFunctionError(.cannotStart) }
            let workBefore = current.work
            let (answers, failure) = current.answers(
                to: calls[...], isCareful: isCareful, within: limits.time, cutAfter: cut)
            return (answers, failure, current.work - workBefore)
        }
    }

    private func newWorker() throws(SyncFunctionError) -> WorkerProcess {
        let worker = try WorkerProcess(executable: executable, memory: limits.memory)
        if case .unconfined(let error) = worker.confinement {
            logger.warning(
                "A sync function worker's system calls are not filtered: the kernel refused the filter",
                metadata: ["error": "\(String(cString: strerror(error)))"])
        }
        control.withLock { control in
            control.process = worker.child
            if control.isAborted { worker.child.kill() }
        }
        return worker
    }

    private func replaceWorker(because cause: String) {
        logger.warning("A sync function worker was replaced", metadata: ["cause": "\(cause)"])
        worker.withLock { worker in
            worker?.end()
            worker = nil
        }
    }

    func end() { worker.withLock { $0 = nil } }

    /// Ends the worker even if it is busy: a running trip fails. From any thread.
    func abort() {
        control.withLock { control in
            control.isAborted = true
            control.process?.kill()
        }
    }
}
