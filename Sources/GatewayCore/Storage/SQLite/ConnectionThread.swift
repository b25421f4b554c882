import Dispatch
import Synchronization

/// The thread that holds a connection, as a task's executor. An asynchronous body works on a transaction's rows there without
/// a change of threads between them, since none of its calls has anything to wait for.
///
/// The thread serves one task, and waits for it: what the task awaits elsewhere keeps the connection for that long, and the
/// task comes back here behind it. When the task is done with the connection, what is left of it runs where other tasks do.
/// Only a thread of the connection's own queue may serve; Swift's threads must not wait.
final class ConnectionThread: TaskExecutor {
    private enum State {
        case serving([UnownedJob])
        case over
    }

    private let state = Mutex(State.serving([]))
    /// One signal for each job, and one for the end.
    private let arrivals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOver = state.withLock { state in
            switch state {
            case .over: return true
            case .serving(let jobs):
                state = .serving(jobs + [job])
                return false
            }
        }
        if isOver { Self.runElsewhere(job) } else { arrivals.signal() }
    }

    /// Runs what the task does, until `end`.
    func serve() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        arrivals.wait()
        return state.withLock { state in
            switch state {
            case .over: return nil
            case .serving(var jobs):
                let job = jobs.removeFirst()
                state = .serving(jobs)
                return job
            }
        }
    }

    /// The task does not need the connection any more, or gets none.
    func end() {
        let left = state.withLock { state -> [UnownedJob] in
            switch state {
            case .over: return []
            case .serving(let jobs):
                state = .over
                return jobs
            }
        }
        for job in left { Self.runElsewhere(job) }
        arrivals.signal()
    }

    private static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
}
