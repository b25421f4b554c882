import BLIPProtocol
import DocumentValues

/// The gateway's side of one connection, without socket, store or clock.
///
/// The driver hands in the received messages and the results of jobs, and carries out the actions that it gets back, in
/// order. A session is never restarted.
package struct PassiveSession: SyncSession, Sendable {
    var context: PassiveContext
    /// The parts by the client's indexes; until it names collections, only that of the default collection.
    var collections = [PassiveCollection(index: 0)]
    var deltas = PushedDeltas()
    var attachments = PushedAttachments()
    private var gate = ReadingGate()

    /// - Parameters:
    ///   - hasDefaultCollection: whether clients that name no collection are accepted.
    ///   - usesDeltas: whether revisions may be sent as differences, in both directions.
    ///   - allowsConflicts: whether documents may have several live leaves.
    ///   - attachmentBytes: of one attachment that a client may push.
    package init(
        version: SyncSubprotocol, hasDefaultCollection: Bool, usesDeltas: Bool = false, allowsConflicts: Bool = false,
        attachmentBytes: Int = PassiveLimits.attachmentBytes
    ) {
        context = PassiveContext(
            PassiveConfiguration(
                version: version, hasDefaultCollection: hasDefaultCollection, usesDeltas: usesDeltas,
                allowsConflicts: allowsConflicts, attachmentBytes: attachmentBytes))
    }

    var output: SessionOutput<PassiveAction, PassiveJob> {
        get { context.output }
        _modify { yield &context.output }
    }

    // MARK: - Events

    /// Whether the session reads the reply to its request as JSON. Other replies have the bytes of an attachment, or
    /// their content is ignored.
    package static func readsJSON(ofReplyTo tag: UInt64) -> Bool { RequestTag(tag).kind == .changes }

    /// Handles the messages that the connection received.
    package mutating func receive(_ incoming: [BLIPIncoming]) -> [PassiveAction] {
        for event in incoming where !output.isClosed { receive(event) }
        return finishStep()
    }

    /// The result of a job.
    package mutating func complete(_ id: JobID, with result: PassiveResult) -> [PassiveAction] {
        guard !output.isClosed, let job = output.end(id) else { return [] }
        complete(job, id: id, with: result)
        return finishStep()
    }

    // MARK: - Memory

    /// Bytes that may be loaded in addition to those that are held already. A driver with many clients sets it before
    /// each step; it depends on the bytes that all clients and those of this user leave unread.
    package var roomToLoad: Int {
        get { context.revisions.room }
        set { context.revisions.room = newValue }
    }

    /// Bytes of waiting pushed revisions, attachments and announcements.
    package var heldBytes: Int { context.storeBytes + context.waitingBytes + context.announcedBytes }

    /// Bytes of the filters of the feeds, which last as long as these.
    package var filterBytes: Int { context.filterBytes }

    /// Bytes of revisions that are loaded and not sent yet.
    package var unsentBytes: Int { context.revisions.unsentBytes }

    /// Bytes of revisions that are loaded or being loaded, and not sent yet.
    package var bytesToSend: Int { context.revisions.bytes }

    // MARK: - Steps

    private mutating func finishStep() -> [PassiveAction] {
        if !output.isClosed {
            pump()
        } else if let action = gate.open() {
            output.append(action)
        }
        return output.take()
    }

    /// Decides on the next work; called after each event.
    private mutating func pump() {
        deltas.loadSources(for: collections, &context)
        // Of many collections, most have nothing to do.
        for index in collections.indices where collections[index].receiver.canStore {
            collections[index].receiver.store(&context)
        }
        attachments.pump(&context)
        loadRevisions()
        for index in collections.indices where collections[index].feed.isSubscribed {
            collections[index].feed.announce(&context)
        }
        let busy = context.output.jobs.values.reduce(0) { $0 + ($1.endsByItself ? 1 : 0) }
        let bytes = context.storeBytes + context.announcedBytes
        if let action = gate.adjust(storeBytes: bytes, jobs: busy) { context.output.append(action) }
    }

    /// Loads in the order of the announcements, across all collections.
    private mutating func loadRevisions() {
        guard context.revisions.openBatches > 0 else { return }
        for tag in collections.flatMap(\.feed.batchesToLoad).sorted() {
            collections[RequestTag(tag).collection].feed.load(tag, &context)
        }
    }

    /// - Parameter pushed: a whole revision with its attachments; `nil` does nothing.
    mutating func store(_ pushed: PushedRevision?) {
        guard let pushed else { return }
        collections[pushed.collection].receiver.append(pushed, &context)
    }
}
