import BLIPProtocol
import DocumentValues

/// The client's side of one connection, without socket, store or clock.
///
/// The driver hands in the received messages and the results of actions, and carries out the actions that it gets back,
/// in order. A session is never restarted; its owner decides whether and when there is a next one.
package struct ActiveSession: SyncSession, Sendable {
    enum Phase: Sendable {
        /// No socket yet.
        case connecting
        /// Waiting for the answer to `getCollections`.
        case opening
        case running
        /// Finishing the work that has begun and saving the checkpoints, until this time at the latest.
        case stopping(Instant)
        case closed
    }

    let configuration: ActiveConfiguration
    var version = SyncSubprotocol.version3
    var phase = Phase.connecting
    var collections: [ActiveCollection]
    var context: ActiveContext
    private var lastStatus: ActiveStatus?
    private var wakeUpTime: Instant?

    package init(_ configuration: ActiveConfiguration) {
        precondition(1...ActiveLimits.collections ~= configuration.collections.count, "callers have checked the number")
        self.configuration = configuration
        collections = configuration.collections.indices.map {
            ActiveCollection(index: $0, configuration: configuration)
        }
        context = ActiveContext(namesCollections: configuration.namesCollections, window: configuration.window)
    }

    var output: SessionOutput<ActiveAction, ActiveJob> {
        get { context.output }
        _modify { yield &context.output }
    }

    // MARK: - Events

    /// The handshake is over.
    package mutating func connected(_ version: SyncSubprotocol, at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            guard case .connecting = session.phase else { return }
            session.version = version
            session.open()
        }
    }

    /// Handles the messages that the connection received.
    package mutating func receive(_ incoming: [BLIPIncoming], at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            for event in incoming { session.receive(event) }
        }
    }

    /// The result of a job.
    package mutating func complete(_ id: JobID, with result: ActiveResult, at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            guard let job = session.output.end(id) else { return }
            session.complete(job, id: id, with: result)
        }
    }

    /// This process or another one has saved documents in these collections.
    package mutating func localChangesCommitted(in indexes: [Int], at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            for index in indexes { session.collections[index].pusher?.localChangesCommitted() }
        }
    }

    package mutating func timerFired(at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            session.wakeUpTime = nil
            if case .stopping(let deadline) = session.phase, deadline <= now { session.close(.normal) }
        }
    }

    /// The user or the program ends the replication: the work that has begun is finished, the checkpoint saved, the
    /// socket closed.
    package mutating func stop(at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            switch session.phase {
            case .connecting, .opening: session.close(.normal)
            case .running:
                session.phase = .stopping(now + ActiveLimits.stopTimeout)
                for index in session.collections.indices {
                    session.collections[index].pusher?.halt()
                    session.collections[index].puller?.halt()
                }
            case .stopping, .closed: break
            }
        }
    }

    /// The store cannot go on, or something else happened that ends the replication.
    package mutating func fail(_ failure: SyncFailure, at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            session.context.fail(failure)
            session.close(ClosingRule(failure) ?? .normal)
        }
    }

    /// The other side or the network has ended the connection; returns the last events.
    package mutating func connectionLost(at now: Instant) -> [ActiveAction] {
        step(at: now) { session in
            guard !session.isClosed else { return }
            session.reportConflicts()
            session.phase = .closed
        }
    }

    // MARK: - Steps

    var isClosed: Bool {
        switch phase {
        case .closed: true
        case .connecting, .opening, .running, .stopping: false
        }
    }

    private mutating func step(at now: Instant, _ body: (inout ActiveSession) -> Void) -> [ActiveAction] {
        context.now = max(now, context.now)
        if !isClosed {
            body(&self)
            if !isClosed { pump() }
            reportEvents()
            if !isClosed {
                reportStatus()
                scheduleWakeUp()
            }
        }
        return output.take()
    }

    /// Decides on the next work; called after each event.
    private mutating func pump() {
        // The collections take turns, since all of them fetch over the same line.
        let first = context.attachments.turn
        for offset in collections.indices { collections[(first + offset) % collections.count].pump(&context) }
        openFeeds()
        finishIfDone()
    }

    /// The feeds of a later turn begin when those of earlier ones have brought all that there was.
    private mutating func openFeeds() {
        guard case .running = phase else { return }
        let work = context.output.work
        var first: Int?
        for index in collections.indices where collections[index].isAhead(besides: work) {
            first = min(first ?? .max, configuration.collections[index].turn)
        }
        guard let first else { return }
        for index in collections.indices where configuration.collections[index].turn == first {
            collections[index].openFeed(by: configuration, &context)
        }
    }

    /// Before the status, so that documents are reported before the end is.
    private mutating func reportEvents() {
        guard !context.events.isEmpty else { return }
        output.append(.report(context.events))
        context.events = []
    }

    private mutating func finishIfDone() {
        if let failure = context.failure, let rule = ClosingRule(failure) { return close(rule) }
        switch phase {
        case .connecting, .opening, .closed: break
        case .running:
            // After a failure that does not end the connection by itself, a one-shot run finishes as much as it can; a
            // continuous one ends, and begins again if that may help.
            let endsByItself = !configuration.isContinuous || context.failure != nil
            let work = context.output.work
            if endsByItself, collections.allSatisfy({ $0.isIdle(besides: work) && !$0.isDirty }) { close(.normal) }
        case .stopping:
            let work = context.output.work
            if collections.allSatisfy({ $0.mayClose(besides: work) }) { close(.normal) }
        }
    }

    mutating func close(_ rule: ClosingRule) {
        guard !isClosed else { return }
        reportConflicts()
        phase = .closed
        output.close(by: .close(code: rule.code, reason: rule.reason, context.failure))
    }

    private mutating func reportConflicts() {
        for index in collections.indices { collections[index].pusher?.reportConflicts(&context) }
    }

    private mutating func reportStatus() {
        let work = context.output.work
        let isBusy =
            switch phase {
            case .connecting, .opening, .stopping, .closed: true
            case .running: !collections.allSatisfy { $0.isIdle(besides: work) }
            }
        let counts = collections.flatMap(\.counts)
        let status = ActiveStatus(
            isBusy: isBusy, completed: counts.reduce(0) { $0 + $1.completed }, total: counts.reduce(0) { $0 + $1.total }
        )
        guard status != lastStatus else { return }
        lastStatus = status
        output.append(.status(status))
    }

    private mutating func scheduleWakeUp() {
        let work = context.output.work
        var times = collections.flatMap { $0.wakeUpTimes(besides: work) }
        if case .stopping(let deadline) = phase { times.append(deadline) }
        guard let next = times.min(), next != wakeUpTime else { return }
        wakeUpTime = next
        output.append(.wakeUp(at: next))
    }
}
