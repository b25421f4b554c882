import BLIPProtocol
import BLIPTransport
import DocumentValues
import Logging
import NIOCore
import SyncProtocol

/// Runs the passive side of one connection: passes messages to the session, and carries out its actions.
///
/// `run()` lasts as long as the connection. Database work runs beside it in child tasks; its results come back through
/// the same queue of events as the messages, so that only this loop ever touches the session.
package final class SyncConnection: BLIPConnectionDelegate {
    private enum Event: Sendable {
        case received([BLIPIncoming], bytes: Int)
        /// With the turn to hold until the result is sent.
        case completed(JobID, PassiveResult, LargeLoads.Turn? = nil)
        /// The rows of a feed, which may wait for changes, and so does not use a job's turn.
        case rowsRead(JobID, PassiveResult)
        case feedOpened(JobID, any SyncFeed)
        case attachmentEnded
        case answerSent(bytes: Int)
        case closed(BLIPCloseReason)

        /// Of the messages that it brings.
        var bytes: Int {
            switch self {
            case .received(_, let bytes): bytes
            case .completed, .rowsRead, .feedOpened, .attachmentEnded, .answerSent, .closed: 0
            }
        }
    }

    /// The unfinished work of the connection.
    private struct Progress {
        var session: PassiveSession
        var answers: UnsentAnswers
        var feeds: [JobID: any SyncFeed] = [:]
        var attachments = AttachmentTurns()
        var loads = HeldLoads()
        var jobs = JobTurns()

        /// Bytes that wait to be sent.
        var unsentBytes: Int { session.bytesToSend + attachments.bytes + answers.bytes }
    }

    private let connection: BLIPConnection
    private let backend: any SyncBackend
    private let logger: Logger
    private let memory: ConnectionMemory?
    private let reading: ReadingPause
    private let events: AsyncStream<Event>
    private let inbox: AsyncStream<Event>.Continuation

    /// - Parameter memory: the account for unfinished messages; without one they are not counted.
    package init(
        connection: BLIPConnection, backend: any SyncBackend, logger: Logger, memory: ConnectionMemory? = nil
    ) {
        self.connection = connection
        self.backend = backend
        self.logger = logger
        self.memory = memory
        reading = ReadingPause { change in
            switch change {
            case .pause: connection.pauseReading()
            case .resume: connection.resumeReading()
            }
        }
        (events, inbox) = AsyncStream.makeStream()
    }

    package func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        let bytes = received.reduce(0) { $0 + $1.waitingBytes }
        reading.put(bytes)
        inbox.yield(.received(received, bytes: bytes))
    }

    package func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {
        inbox.yield(.closed(reason))
        inbox.finish()
    }

    /// Serves the client until the connection ends; cancellation drops the connection.
    package func run() async {
        guard let version = SyncSubprotocol(exactly: connection.subprotocol) else {
            return connection.close(code: WebSocketCloseCode.protocolError, reason: "Unknown subprotocol")
        }
        let session = PassiveSession(
            version: version, hasDefaultCollection: backend.hasDefaultCollection, usesDeltas: backend.usesDeltas,
            allowsConflicts: backend.allowsConflicts, attachmentBytes: backend.attachmentBytes)
        connection.start(delegate: self, memory: memory)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                await serve(session, in: &group)
                group.cancelAll()
            }
        } onCancel: {
            // A client reconnects after a lost connection, but not after a normal Close.
            connection.abort()
            inbox.finish()
        }
    }

    private func serve(_ session: PassiveSession, in group: inout DiscardingTaskGroup) async {
        let answers = UnsentAnswers { [inbox] in inbox.yield(.answerSent(bytes: $0)) }
        var progress = Progress(session: session, answers: answers)
        var pace = FairPace()
        for await event in events {
            await pace.giveWay()
            // Received messages are not processed any more if the connection has to end.
            guard !Task.isCancelled, await mayTakeStep() else { return }
            defer { memory?.endStep() }
            let (seenBytes, waitingBefore) = (event.bytes, progress.jobs.waitingCount)
            progress.session.roomToLoad = memory?.roomToSend ?? .max
            guard let actions = take(event, in: &progress, group: &group) else { return }
            for action in actions {
                perform(action, in: &progress, group: &group)
                memory?.holdUnsent(progress.unsentBytes)
            }
            let released = progress.jobs.release(seenBytes, waitingBefore: waitingBefore)
            if released > 0 { reading.take(released) }
            account(for: &progress, group: &group)
        }
    }

    /// - Returns: the session's actions; `nil` if the connection has ended.
    private func take(
        _ event: Event, in progress: inout Progress, group: inout DiscardingTaskGroup
    ) -> [PassiveAction]? {
        switch event {
        case .received(let incoming, _):
            let readable = incoming.filter { acceptOrRefuse($0, for: progress.session) }
            return progress.session.receive(readable)
        case .completed(let id, let result, let turn):
            if let turn { progress.loads.append(turn) }
            let actions = progress.session.complete(id, with: result)
            if let next = progress.jobs.end() { begin(next, in: &group) }
            return actions
        case .rowsRead(let id, let result): return progress.session.complete(id, with: result)
        case .feedOpened(let id, let feed):
            progress.feeds[id] = feed
            let actions = progress.session.complete(id, with: .done)
            if let next = progress.jobs.end() { begin(next, in: &group) }
            return actions
        case .attachmentEnded:
            progress.attachments.end()
            return []
        case .answerSent(let bytes):
            progress.answers.end(bytes)
            return []
        case .closed(let reason):
            logger.debug("Sync connection ended", metadata: ["reason": "\(reason)"])
            return nil
        }
    }

    /// Counts the memory of the connection after a step, and starts work for which there is room now.
    private func account(for progress: inout Progress, group: inout DiscardingTaskGroup) {
        let held = progress.session.heldBytes + progress.session.filterBytes + reading.waiting
        memory?.holdRevisions(held) { [connection] in
            connection.close(
                code: WebSocketCloseCode.transientApplicationError,
                reason: "Too much memory is taken by revisions that wait and by filters; try again later.")
        }
        memory?.holdUnsent(progress.unsentBytes)
        for asked in progress.attachments.next(room: memory?.roomToSend ?? .max) {
            group.addTask { await self.send(asked) }
        }
        memory?.holdUnsent(progress.unsentBytes)
        progress.loads.release(downTo: progress.session.unsentBytes + progress.answers.bytes)
    }

    /// - Returns: false if the connection has to end.
    private func mayTakeStep() async -> Bool {
        guard let memory else { return true }
        do {
            try await memory.beginStep()
            return true
        } catch {
            return false
        }
    }

    /// Refuses a message that would take too long to read. A reply cannot be refused, so it ends the connection.
    ///
    /// - Returns: false for such a message, which is not passed on.
    private func acceptOrRefuse(_ incoming: BLIPIncoming, for session: PassiveSession) -> Bool {
        switch incoming {
        case .request(let message) where Self.hasTooManyValues(message):
            let error = GatewayError.tooManyValues.blipReply
            if let refused = session.refused(message, with: error) { backend.noteRefusal(refused) }
            if !message.isNoReply { connection.send([.failure(to: message.number, error)]) }
            return false
        case .response(let tag, let message)
        where PassiveSession.readsJSON(ofReplyTo: tag) && Self.hasTooManyValues(message):
            connection.close(
                code: WebSocketCloseCode.tooLarge,
                reason: "A reply has more than \(GatewayLimits.documentValues) members and elements")
            return false
        case .request, .response, .failure, .responsePart, .sent: return true
        }
    }

    private static func hasTooManyValues(_ message: BLIPMessage) -> Bool {
        message.body.readableBytes > GatewayLimits.documentValues
            && message.bodyBytes.hasMoreJSONValues(than: GatewayLimits.documentValues)
    }

    private func perform(
        _ action: PassiveAction, in progress: inout Progress, group: inout DiscardingTaskGroup
    ) {
        switch action {
        case .send(let messages):
            connection.send(progress.answers.held(messages, room: memory?.roomToSend ?? .max))
        case .pauseReading: reading.want(false)
        case .resumeReading: reading.want(true)
        case .close(let code, let reason): connection.close(code: code, reason: reason)
        case .closeFeed(let feed): progress.feeds[feed] = nil
        case .dropAttachments(let handles): backend.dropAttachments(handles)
        case .noteRefusal(let refused): backend.noteRefusal(refused)
        case .nextRows(let id, let feed, let limit):
            guard let feed = progress.feeds[feed] else { return }
            group.addTask { await self.readFeed(feed, limit: limit, id: id) }
        case .serveAttachment(let number, let collection, let documentID, let digest, let isCompressed):
            let asked = AskedAttachment(
                number: number, collection: collection, documentID: documentID, digest: digest,
                isCompressed: isCompressed)
            guard !progress.attachments.add(asked) else { return }
            connection.send([.failure(to: number, GatewayError.tooManyWaitingAttachments.blipReply)])
        case .resolveCollections, .loadCheckpoint, .saveCheckpoint, .checkAnnounced, .checkProposed, .loadSources,
            .storeRevisions, .keepAttachment, .loadRevisions, .openFeed:
            if progress.jobs.begin(action) { begin(action, in: &group) }
        }
    }

    /// Starts a job of the database; its result comes as an event.
    private func begin(_ job: PassiveAction, in group: inout DiscardingTaskGroup) {
        switch job {
        case .openFeed(let id, let collection, let options, let since):
            group.addTask { await self.openFeed(id, collection: collection, options: options, since: since) }
        case .loadRevisions(let id, _, _, _): group.addTask { await self.load(id, action: job) }
        case .resolveCollections(let id, _, _), .loadCheckpoint(let id, _, _), .saveCheckpoint(let id, _, _, _, _),
            .checkAnnounced(let id, _, _), .checkProposed(let id, _, _), .loadSources(let id, _, _),
            .storeRevisions(let id, _, _), .keepAttachment(let id, _, _):
            group.addTask { await self.work(id, action: job) }
        case .send, .pauseReading, .resumeReading, .close, .closeFeed, .dropAttachments, .noteRefusal, .nextRows,
            .serveAttachment:
            break
        }
    }

    // MARK: - Work beside the session

    private func work(_ id: JobID, action: PassiveAction) async {
        do {
            inbox.yield(.completed(id, try await inTurn { try await backend.result(of: action) }))
        } catch {
            inbox.yield(.completed(id, .failed(GatewayError(error).blipReply)))
        }
    }

    private func inTurn<Value: Sendable>(_ job: () async throws -> Value) async throws -> Value {
        guard let memory else { return try await job() }
        return try await memory.inTurn(job)
    }

    private func load(_ id: JobID, action: PassiveAction) async {
        guard let memory else { return await work(id, action: action) }
        do {
            let (result, turn) = try await memory.load {
                let result = try await memory.inTurn { try await backend.result(of: action) }
                return (result, bytes: result.bytesOfRevisions)
            }
            inbox.yield(.completed(id, result, turn))
        } catch {
            inbox.yield(.completed(id, .failed(GatewayError(error).blipReply)))
        }
    }

    private func openFeed(_ id: JobID, collection: Int, options: SubChanges, since: SequenceID) async {
        do {
            let feed = try await inTurn { try await backend.openFeed(options, since: since, collection: collection) }
            inbox.yield(.feedOpened(id, feed))
        } catch {
            inbox.yield(.completed(id, .failed(GatewayError(error).blipReply)))
        }
    }

    private func readFeed(_ feed: any SyncFeed, limit: Int, id: JobID) async {
        do {
            let batch = try await feed.next(limit: limit)
            inbox.yield(.rowsRead(id, .rows(batch.rows, isCaughtUp: batch.isCaughtUp)))
        } catch  where error is CancellationError || Task.isCancelled {
            // The connection is gone, which the storage reports as an interruption.
            return
        } catch let error as GatewayError where error == .underMaintenance {
            inbox.yield(.rowsRead(id, .failed(GatewayError.databaseChanged.blipReply)))
        } catch {
            let failure = GatewayError(error)
            var metadata: Logger.Metadata = ["reason": "\(failure.reason)"]
            metadata["error"] = StorageFailure.detail(of: error).map { "\($0)" }
            logger.warning("A changes feed failed", metadata: metadata)
            inbox.yield(.rowsRead(id, .failed(failure.blipReply)))
        }
    }

    private func send(_ asked: AskedAttachment) async {
        let turn = AttachmentTurn { [inbox] in inbox.yield(.attachmentEnded) }
        let answer: BLIPOutgoing
        do {
            let content = try await backend.attachment(asked.digest, of: asked.documentID, collection: asked.collection)
            answer =
                content.map { content in
                    .response(
                        to: asked.number, properties: [:], body: content.holding(turn),
                        isCompressed: asked.isCompressed)
                } ?? .failure(to: asked.number, GatewayError.missing.blipReply)
        } catch {
            answer = .failure(to: asked.number, GatewayError(error).blipReply)
        }
        connection.send([answer])
    }
}

extension PassiveResult {
    fileprivate var bytesOfRevisions: Int {
        switch self {
        case .revisions(let loaded): loaded.reduce(0) { $0 + $1.bodyCount }
        case .done, .collections, .checkpoint, .saved, .rows, .wanted, .proposals, .sources, .stored, .failed: 0
        }
    }
}
