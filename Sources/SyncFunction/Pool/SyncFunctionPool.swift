import Dispatch
import Logging
import Synchronization

/// Runs sync functions in worker processes, which are started when they are first needed.
///
/// Calls that come at the same time share a trip to a worker; those with large documents go one by one, and never to all
/// workers at the same time, so that the others do not wait behind them. A document whose call could not be finished is refused;
/// none is ever accepted unchecked.
package final class SyncFunctionPool: SyncFunctionRunning {
    private struct Job {
        let calls: [PendingCall]
        let continuation: CheckedContinuation<[CallEnd], any Error>

        var size: Int { calls.reduce(0) { $0 + $1.size } }
    }

    private struct State {
        var waiting: [Job] = []
        /// Those of large documents, where there is more than one worker.
        var large: [Job] = []
        var isBusyWithLarge = false
        var idle: [WorkerLine] = []
        var lines: [WorkerLine] = []
        var isClosed = false
        var native: [SyncFunctionSource: NativeFunction?] = [:]
    }

    private let executable: String
    private let limits: SyncFunctionLimits
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter executable: a program that calls `SyncFunctionWorker.run` when its first argument is
    ///   `SyncFunctionWorker.command`; by default the one that is running.
    package init(
        executable: String = "/proc/self/exe", limits: SyncFunctionLimits = SyncFunctionLimits(), logger: Logger
    ) {
        self.executable = executable
        self.limits = limits
        self.logger = logger
    }

    /// Ends the workers. Calls that wait are refused; those under way are finished.
    package func close() {
        let (lines, waiting) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.large) = ([], []) }
            return (state.lines, state.waiting + state.large)
        }
        for job in waiting { job.continuation.resume(throwing: SyncFunctionError(.closed)) }
        for line in lines { line.queue.async { line.end() } }
    }

    package func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        var outcomes = calls.map { call in native(call.function)?.outcome(for: call.document) }
        let scripted = calls.indices.filter { outcomes[$0] == nil }
        let ends = try await ends(of: scripted.map { PendingCall(calls[$0]) })
        for (index, end) in zip(scripted, ends) {
            let reply = SyncFunctionReply(end)
            log(reply, calls[index].keyspace)
            var outcome = reply.outcome
            outcome.failure = reply.detail
            outcomes[index] = outcome
        }
        return outcomes.map { $0 ?? SyncFunctionOutcome(rejection: SyncFunctionReply.exception) }
    }

    package func problem(with function: SyncFunctionSource) async throws -> String? {
        guard native(function) == nil else { return nil }
        switch try await submit([PendingCall(compiling: function)]).first {
        case .answered(.outcome): return UnderscoreUse.problem(in: function.text)
        case .answered(.unusable(let text)), .answered(.failed(let text)): return "invalid javascript syntax: \(text)"
        case .tooSlow: return "invalid javascript syntax: the text runs for ever instead of being a function"
        case .crashed, nil: return "invalid javascript syntax: the function needs too much memory"
        }
    }

    /// Most databases use few functions, so what is known of them is kept.
    private func native(_ function: SyncFunctionSource) -> NativeFunction? {
        state.withLock { state in
            if let known = state.native[function] { return known }
            if state.native.count >= SyncFunctionLimits.functionsPerWorker { state.native = [:] }
            let found = NativeFunction(function)
            state.native[function] = .some(found)
            return found
        }
    }

    private func log(_ reply: SyncFunctionReply, _ keyspace: String) {
        if let detail = reply.detail {
            logger.warning("A sync function failed", metadata: ["keyspace": "\(keyspace)", "detail": "\(detail)"])
        }
        for line in reply.log {
            logger.log(
                level: Logger.Level(rawValue: line.level) ?? .info, "A sync function wrote a line",
                metadata: ["keyspace": "\(keyspace)", "detail": "\(line.text)"])
        }
    }

    // MARK: Work for the lines

    private func ends(of calls: [PendingCall]) async throws -> [CallEnd] {
        let trips = Self.trips(calls)
        guard trips.count > 1 else { return calls.isEmpty ? [] : try await submit(calls) }
        return try await withThrowingTaskGroup(of: (Int, [CallEnd]).self) { group in
            for (index, trip) in trips.enumerated() {
                group.addTask { (index, try await self.submit(trip)) }
            }
            var ends = [[CallEnd]](repeating: [], count: trips.count)
            for try await (index, part) in group { ends[index] = part }
            return Array(ends.joined())
        }
    }

    private static func trips(_ calls: [PendingCall]) -> [[PendingCall]] {
        var trips: [[PendingCall]] = []
        var size = 0
        for call in calls {
            let isFull = (trips.last?.count ?? .max) >= SyncFunctionLimits.callsPerTrip
            if isFull || size + call.size > SyncFunctionLimits.bytesPerTrip {
                trips.append([])
                size = 0
            }
            trips[trips.count - 1].append(call)
            size += call.size
        }
        return trips
    }

    private func submit(_ calls: [PendingCall]) async throws -> [CallEnd] {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(calls: calls, continuation: continuation)
            let line: WorkerLine?? = state.withLock { state in
                guard !state.isClosed else { return nil }
                guard limits.workers > 1, job.size >= SyncFunctionLimits.largeCall else {
                    state.waiting.append(job)
                    return .some(freeLine(&state))
                }
                state.large.append(job)
                // Who works on the last one goes on with this one.
                return .some(state.isBusyWithLarge ? nil : freeLine(&state))
            }
            switch line {
            case nil: continuation.resume(throwing: SyncFunctionError(.closed))
            case .some(nil): break
            case .some(let line?): line.queue.async { self.work(on: line) }
            }
        }
    }

    private func freeLine(_ state: inout State) -> WorkerLine? {
        if let line = state.idle.popLast() { return line }
        guard state.lines.count < limits.workers else { return nil }
        let line = WorkerLine(number: state.lines.count, executable: executable, limits: limits, logger: logger)
        state.lines.append(line)
        return line
    }

    /// Runs on the line's queue until nothing waits.
    private func work(on line: WorkerLine) {
        while let (jobs, isLarge) = takeJobs(for: line) {
            defer { if isLarge { state.withLock { $0.isBusyWithLarge = false } } }
            do {
                var ends = try line.ends(of: jobs.flatMap(\.calls))[...]
                for job in jobs {
                    job.continuation.resume(returning: Array(ends.prefix(job.calls.count)))
                    ends = ends.dropFirst(job.calls.count)
                }
            } catch {
                logger.error("Sync functions cannot be run", metadata: ["error": "\(error)"])
                for job in jobs { job.continuation.resume(throwing: error) }
            }
        }
    }

    /// The jobs for one trip; `nil`, and the line is idle, when there are none for it.
    private func takeJobs(for line: WorkerLine) -> (jobs: [Job], isLarge: Bool)? {
        state.withLock { state in
            if !state.isBusyWithLarge, !state.large.isEmpty {
                state.isBusyWithLarge = true
                return ([state.large.removeFirst()], true)
            }
            guard !state.waiting.isEmpty else {
                state.idle.append(line)
                return nil
            }
            var jobs: [Job] = []
            var calls = 0
            var size = 0
            while let next = state.waiting.dropFirst(jobs.count).first {
                calls += next.calls.count
                size += next.size
                let fits = calls <= SyncFunctionLimits.callsPerTrip && size <= SyncFunctionLimits.bytesPerTrip
                guard jobs.isEmpty || fits else { break }
                jobs.append(next)
            }
            state.waiting.removeFirst(jobs.count)
            return (jobs, false)
        }
    }
}
