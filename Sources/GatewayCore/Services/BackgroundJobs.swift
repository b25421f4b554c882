/// Long work that a request starts and does not wait for. It belongs to the service that calls `run`, and ends with it.
final class BackgroundJobs: Sendable {
    typealias Job = @Sendable () async -> Void

    private let jobs: AsyncStream<Job>
    private let inbox: AsyncStream<Job>.Continuation

    init() { (jobs, inbox) = AsyncStream.makeStream() }

    func start(_ job: @escaping Job) { inbox.yield(job) }

    /// Runs the started work, side by side, until it is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job() } }
        }
    }
}
