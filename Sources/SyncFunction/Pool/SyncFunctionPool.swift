import AccessControl
import Dispatch
import DocumentValues
import Logging
import Synchronization

/// Runs sync functions in worker processes, which are started when they are first needed.
///
/// Simultaneous calls of one user share a trip to a worker; users and databases take turns, see `CallSchedule`. A
/// document whose call could not be finished is refused; none is ever accepted unchecked.
package final class SyncFunctionPool: SyncFunctionRunning {
    /// The calls of a request that are sent together.
    private struct Job: Sendable {
        let calls: [PendingCall]
        let request: CallRequest
        /// Which of the request's trips it is.
        let trip: Int
        /// Of the first calls.
        var ends: [CallEnd] = []
        var care = TripCare.usual

        var rest: ArraySlice<PendingCall> { calls[ends.count...] }
        var isAtEnd: Bool { rest.isEmpty || request.isGivenUp }

        func finish() {
            request.finish(trip: trip, with: ends + Array(repeating: .leftOut, count: rest.count))
        }

        var item: CallSchedule<Job>.Item {
            CallSchedule<Job>.Item(job: self, calls: rest.count, bytes: rest.reduce(0) { $0 + $1.size })
        }
    }

    private struct State {
        var schedule: CallSchedule<Job>
        var idle: [WorkerLine] = []
        var lines: [WorkerLine] = []
        var isClosed = false
        var native: [SyncFunctionSource: NativeFunction?] = [:]
    }

    private typealias Assignment = (line: WorkerLine, trip: CallSchedule<Job>.Trip)

    private let executable: String
    private let limits: SyncFunctionLimits
    private let logger: Logger
    private let start = ContinuousClock.now
    private let state: Mutex<State>
    private let pace = Mutex(LogPace(limit: SyncFunctionLimits.linesOfOne))

    /// - Parameter executable: a program that calls `SyncFunctionWorker.run` when its first argument is
    ///   `SyncFunctionWorker.command`; by default the one that is running.
    package init(
        executable: String = "/proc/self/exe", limits: SyncFunctionLimits = SyncFunctionLimits(), logger: Logger
    ) {
        self.executable = executable
        self.limits = limits
        self.logger = logger
        state = Mutex(State(schedule: CallSchedule(workers: limits.workers)))
    }

    /// Ends the workers. Waiting calls are refused; running ones are finished.
    package func close() {
        let (lines, waiting) = state.withLock { state in
            state.isClosed = true
            return (state.lines, state.schedule.takeAll())
        }
        for job in waiting { job.request.fail(with: SyncFunctionError(.closed)) }
        for line in lines { line.queue.async { line.end() } }
    }

    /// The same at once: running calls are refused, too.
    package func abort() {
        close()
        for line in state.withLock({ $0.lines }) { line.abort() }
    }

    package func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        var last: (function: SyncFunctionSource, native: NativeFunction?)?
        // By its index: a copy of a call would count a dozen references.
        var outcomes = calls.indices.map { index in
            // It is nearly always the function of the call before.
            if last?.function != calls[index].function { last = (calls[index].function, native(calls[index].function)) }
            return last?.native?.outcome(for: calls[index].document)
        }
        let scripted = calls.indices.filter { outcomes[$0] == nil }
        let owner = CallOwner(calls)
        let ends = try await ends(
            of: scripted.map { PendingCall(calls[$0]) }, owner: owner, budget: calls.first?.budget,
            client: calls.first?.client)
        for (index, end) in zip(scripted, ends) {
            let reply = SyncFunctionReply(end)
            log(reply, keyspace: calls[index].keyspace, of: owner)
            var outcome = reply.outcome
            outcome.failure = reply.detail
            outcomes[index] = outcome
        }
        return outcomes.map { $0 ?? SyncFunctionOutcome(rejection: SyncFunctionReply.exception) }
    }

    package func problem(with function: SyncFunctionSource) async throws -> String? {
        guard native(function) == nil else { return nil }
        let call = PendingCall(compiling: function)
        switch try await ends(of: [call], owner: .configuration).first {
        case .answered(.outcome): return UnderscoreUse.problem(in: function.text)
        case .answered(.unusable(let text)), .answered(.failed(let text)): return "invalid javascript syntax: \(text)"
        case .tooSlow: return "invalid javascript syntax: the text runs for ever instead of being a function"
        case .answered(.noMemory), .crashed, .leftOut, nil:
            return "invalid javascript syntax: the function needs too much memory"
        }
    }

    /// Keeps whether a function is native, because most databases use few functions.
    private func native(_ function: SyncFunctionSource) -> NativeFunction? {
        state.withLock { state in
            if let known = state.native[function] { return known }
            if state.native.count >= SyncFunctionLimits.functionsPerWorker { state.native = [:] }
            let found = NativeFunction(function)
            state.native[function] = .some(found)
            return found
        }
    }

    private func log(_ reply: SyncFunctionReply, keyspace: String, of owner: CallOwner) {
        if let detail = reply.detail, isListed(owner) {
            logger.warning("A sync function failed", metadata: ["keyspace": "\(keyspace)", "detail": "\(detail)"])
        }
        for line in reply.log where isListed(owner) {
            logger.log(
                level: Logger.Level(rawValue: line.level) ?? .info, "A sync function wrote a line",
                metadata: ["keyspace": "\(keyspace)", "detail": "\(line.text)"])
        }
    }

    /// Whether a line of the function is logged: one request may cause a hundred thousand.
    private func isListed(_ owner: CallOwner) -> Bool {
        let seconds = start.duration(to: .now).components.seconds
        let (isListed, counted) = pace.withLock { pace in
            let counted = pace.takeSummaries(at: seconds)
            return (pace.note(owner.name) == .listed, counted)
        }
        for rest in counted {
            logger.warning(
                "A sync function wrote or caused more lines within a minute than the log lists",
                metadata: ["user": "\(rest.name)", "unlisted": "\(rest.count)"])
        }
        return isListed
    }

    // MARK: Work for the lines

    /// Begins with the first calls: the last ones may be left out.
    ///
    /// - Throws: `CancellationError` if calls were left out because the task was cancelled, or the client is gone. Their turn
    ///   came without taking a worker's time.
    private func ends(
        of calls: [PendingCall], owner: CallOwner, budget: SlowCallBudget? = nil, client: ClientPresence? = nil
    ) async throws -> [CallEnd] {
        let trips = Self.trips(calls)
        guard !trips.isEmpty else { return [] }
        let request = CallRequest(trips: trips.count, budget: budget, client: client)
        let ends = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                request.wait(with: continuation)
                add(trips, of: request, owner: owner)
            }
        } onCancel: {
            request.cancel()
        }
        if ends.contains(.leftOut) { try request.checkIsWanted() }
        return ends
    }

    private func add(_ trips: [[PendingCall]], of request: CallRequest, owner: CallOwner) {
        let jobs = trips.enumerated().map { Job(calls: $1, request: request, trip: $0) }
        let begun: [Assignment]? = state.withLock { state in
            guard !state.isClosed else { return nil }
            for job in jobs { state.schedule.add(job.item, of: owner, at: now) }
            return assignments(&state)
        }
        guard let begun else { return request.fail(with: SyncFunctionError(.closed)) }
        begin(begun)
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

    private var now: Duration { start.duration(to: .now) }

    /// Assigns work to idle lines, as long as there is any.
    private func assignments(_ state: inout State) -> [Assignment] {
        var begun: [Assignment] = []
        while !state.idle.isEmpty || state.lines.count < limits.workers, let trip = state.schedule.next(at: now) {
            begun.append((state.idle.popLast() ?? newLine(&state), trip))
        }
        return begun
    }

    private func newLine(_ state: inout State) -> WorkerLine {
        let line = WorkerLine(number: state.lines.count, executable: executable, limits: limits, logger: logger)
        state.lines.append(line)
        return line
    }

    private func begin(_ assignments: [Assignment]) {
        for (line, trip) in assignments { line.queue.async { self.work(on: line, trip) } }
    }

    /// Runs on the line's queue.
    private func work(on line: WorkerLine, _ first: CallSchedule<Job>.Trip) {
        var next: CallSchedule<Job>.Trip? = first
        while let trip = next {
            let (jobs, wasSlow) = run(trip, on: line)
            let (begun, dropped) = finish(trip, unfinished: jobs, wasSlow: wasSlow, line: line)
            for job in dropped { job.request.fail(with: SyncFunctionError(.closed)) }
            next = begun.first { $0.line === line }?.trip
            begin(begun.filter { $0.line !== line })
        }
    }

    /// Answers the finished jobs, and returns the others. `wasSlow` as in `CallSchedule.finished`.
    private func run(_ trip: CallSchedule<Job>.Trip, on line: WorkerLine) -> (unfinished: [Job], wasSlow: Bool?) {
        let jobs = begun(trip.jobs)
        guard !jobs.isEmpty else { return ([], nil) }
        let care = jobs.map(\.care).max() ?? .usual
        do {
            let end = try line.trip(jobs.flatMap(\.rest), with: care, cutAfter: trip.cutAfter)
            var ends = end.ends[...]
            var unfinished: [Job] = []
            for var job in jobs {
                let count = job.rest.count
                job.request.note(ends.prefix(count))
                job.ends += ends.prefix(count)
                ends = ends.dropFirst(count)
                job.care = end.careOfRest
                if job.isAtEnd { job.finish() } else { unfinished.append(job) }
            }
            return (unfinished, end.wasSlow)
        } catch {
            if error.code != .closed {
                logger.error("Sync functions cannot be run", metadata: ["error": "\(error)"])
            }
            for job in jobs { job.request.fail(with: error) }
            return ([], false)
        }
    }

    /// The jobs without those whose requests are given up.
    private func begun(_ jobs: [Job]) -> [Job] {
        jobs.filter { job in
            // Read only once: other lines may reach the limit at any time.
            let isAtEnd = job.isAtEnd
            if isAtEnd { job.finish() }
            return !isAtEnd
        }
    }

    /// The line is free. Other lines may be free, too, because there was no work for them before.
    private func finish(
        _ trip: CallSchedule<Job>.Trip, unfinished: [Job], wasSlow: Bool?, line: WorkerLine
    ) -> (begun: [Assignment], dropped: [Job]) {
        state.withLock { state in
            state.idle.append(line)
            state.schedule.finished(trip, wasSlow: wasSlow, at: now)
            guard !state.isClosed else { return ([], unfinished) }
            for job in unfinished.reversed() { state.schedule.putBack(job.item, of: trip.owner, at: now) }
            return (assignments(&state), [])
        }
    }
}
