import Dispatch
import Synchronization

/// The thread that holds a connection, as the executor of a task: an asynchronous body works with all rows of a transaction
/// there. None of its calls has to wait, so there is no change of threads between them.
///
/// The thread serves one task, and waits for it. If the task awaits something elsewhere, it occupies the connection until
/// then, and continues on this thread. When the task does not need the connection any more, the rest of the task runs on
/// the threads of all tasks. Only a thread of the connection's own queue may serve; Swift's threads must not wait.
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

    /// Runs the jobs of the task, until `end`.
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
