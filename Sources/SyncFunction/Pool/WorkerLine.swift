import Dispatch
import Glibc
import Logging
import Synchronization

/// A thread's worth of work with one worker at a time, which is replaced when it dies or has to.
final class WorkerLine: Sendable {
    let queue: DispatchQueue
    private let executable: String
    private let limits: SyncFunctionLimits
    private let logger: Logger
    /// Only touched on `queue`; the lock is what lets the compiler believe it.
    private let worker = Mutex<WorkerProcess?>(nil)

    init(number: Int, executable: String, limits: SyncFunctionLimits, logger: Logger) {
        queue = DispatchQueue(label: "fieldbook.sync-function.\(number)")
        self.executable = executable
        self.limits = limits
        self.logger = logger
    }

    /// Takes calls to the worker once.
    ///
    /// The first failure of a trip does not show which call caused it, if any did: the worker may have died before. So
    /// the rest is tried again in a new worker with an answer sent for each; then the first one without is at fault, and
    /// those behind it go on. A call for which there was no memory may have found what others had left: there nobody else
    /// is to blame.
    ///
    /// - Parameter cut: how long a call may take before the worker is wanted for others. It has no end then.
    func trip(
        _ calls: [PendingCall], with care: TripCare, cutAfter cut: Duration?
    ) throws(SyncFunctionError) -> TripEnd {
        if care == .newWorker { end() }
        let (answers, failure, time) = try answers(to: calls, isCareful: care != .usual, cutAfter: cut)
        let limit = answers.count < calls.count ? calls[answers.count].time ?? limits.time : limits.time
        let wasCut = failure == .tooSlow && cut.map { $0 < limit } ?? false
        let isLong = time > SyncFunctionLimits.slowTrip && calls.allSatisfy { $0.size < SyncFunctionLimits.largeCall }
        var end = TripEnd(ends: answers.map(CallEnd.answered), wasSlow: isLong || failure == .tooSlow)
        if let hungry = answers.firstIndex(of: .noMemory) {
            let isToBlame = care == .newWorker && hungry == 0
            end.ends = Array(end.ends[..<(isToBlame ? 1 : hungry)])
            if isToBlame { end.wasSlow = true }
            end.careOfRest = .newWorker
            replaceWorker(because: "it had no memory left")
        } else if let failure {
            let isAlone = calls.count - answers.count == 1
            if !wasCut, care == .newWorker || (failure == .tooSlow && (isAlone || care == .oneByOne)) {
                end.ends.append(failure == .tooSlow ? .tooSlow : .crashed)
            }
            end.careOfRest = .newWorker
            replaceWorker(because: wasCut ? "others wait" : failure == .tooSlow ? "it took too long" : "it died")
        } else {
            end.careOfRest = care == .usual ? .usual : .oneByOne
        }
        return end
    }

    private func answers(
        to calls: [PendingCall], isCareful: Bool, cutAfter cut: Duration?
    ) throws(SyncFunctionError) -> (answers: [WorkerAnswer], failure: WorkerProcess.Failure?, time: Duration) {
        try worker.withLock { worker throws(SyncFunctionError) in
            if worker == nil || worker?.isFull == true {
                worker?.end()
                worker = nil
                worker = try newWorker()
            }
            guard let current = worker else { throw SyncFunctionError(.cannotStart) }
            let start = ContinuousClock.now
            let (answers, failure) = current.answers(
                to: calls[...], isCareful: isCareful, within: limits.time, cutAfter: cut)
            return (answers, failure, start.duration(to: .now))
        }
    }

    private func newWorker() throws(SyncFunctionError) -> WorkerProcess {
        let worker = try WorkerProcess(executable: executable, memory: limits.memory)
        if case .unconfined(let error) = worker.confinement {
            logger.warning(
                "A sync function worker's system calls are not filtered: the kernel refused the filter",
                metadata: ["error": "\(String(cString: strerror(error)))"])
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
}
