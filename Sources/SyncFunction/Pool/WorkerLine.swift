import Dispatch
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

    /// One end a call.
    ///
    /// The first failure of a trip does not tell which call caused it, if any did: the worker may have died before. So
    /// the rest is tried again with an answer sent for each; then the first one without is at fault, and those behind
    /// it go on. A call for which there was no memory may have found what others had left: it gets a worker of its own.
    func ends(of calls: [PendingCall]) throws(SyncFunctionError) -> [CallEnd] {
        var ends: [CallEnd] = []
        var isCareful = false
        while ends.count < calls.count {
            let (answers, failure) = try trip(calls[ends.count...], isCareful: isCareful)
            if let hungry = answers.firstIndex(where: \.isOutOfMemory) {
                // In a new worker nobody else is to blame.
                ends += answers[..<(isCareful && hungry == 0 ? 1 : hungry)].map(CallEnd.answered)
                replaceWorker(because: "it had no memory left")
                isCareful = true
                continue
            }
            ends += answers.map(CallEnd.answered)
            guard let failure else { continue }
            replaceWorker(because: failure == .tooSlow ? "it took too long" : "it died")
            let isAlone = calls.count - ends.count == 1
            if isCareful || (isAlone && failure == .tooSlow) {
                ends.append(failure == .tooSlow ? .tooSlow : .crashed)
            }
            isCareful = true
        }
        return ends
    }

    private func trip(
        _ calls: ArraySlice<PendingCall>, isCareful: Bool
    ) throws(SyncFunctionError) -> (answers: [WorkerAnswer], failure: WorkerProcess.Failure?) {
        try worker.withLock { worker throws(SyncFunctionError) in
            if worker == nil || worker?.isFull == true {
                worker?.end()
                worker = nil
                worker = try WorkerProcess(executable: executable, memory: limits.memory)
            }
            guard let current = worker else { throw SyncFunctionError(.cannotStart) }
            return current.answers(to: calls, isCareful: isCareful, within: limits.time)
        }
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
