import BLIPProtocol
import NIOCore

/// Receives the push of a client to a collection: answers its announcements, and stores its revisions in batches.
struct PushReceiver: Sendable {
    let index: Int
    /// Revisions that wait for the store.
    private var queue = CircularBuffer<PushedRevision>()
    /// The store is storing a batch of revisions.
    private var isStoring = false

    init(index: Int) { self.index = index }

    /// No revision waits, and none is being stored.
    var isIdle: Bool { queue.isEmpty && !isStoring }

    // MARK: - Announcements

    /// If conflicts are not allowed, clients announce their changes by `proposeChanges`, since `changes` does not report
    /// conflicts. An empty `changes` reports that there is nothing to push.
    mutating func announced(
        _ message: BLIPMessage, replyTo number: UInt32?, _ context: inout PassiveContext
    ) throws(BLIPErrorReply) {
        let request = try Changes(message)
        guard !request.rows.isEmpty else { return context.output.respond(to: number) }
        guard context.configuration.allowsConflicts else { throw .http(409, message: "Use 'proposeChanges' instead") }
        let bytes = Self.hold(request.rows.count, of: message, &context)
        let job = PassiveJob.checkAnnounced(request: number, rows: request.rows.count, bytes: bytes)
        context.output.begin(job) { .checkAnnounced($0, collection: index, request.rows) }
    }

    /// Counts the memory of a message's rows until they are answered.
    private static func hold(_ rows: Int, of message: BLIPMessage, _ context: inout PassiveContext) -> Int {
        let bytes = message.body.readableBytes + rows * PassiveLimits.announcedRowBytes
        context.announcedBytes += bytes
        return bytes
    }

    mutating func proposed(
        _ message: BLIPMessage, replyTo number: UInt32?, _ context: inout PassiveContext
    ) throws(BLIPErrorReply) {
        let request = try ProposeChanges(message)
        guard !request.rows.isEmpty else { return context.output.respond(to: number) }
        let bytes = Self.hold(request.rows.count, of: message, &context)
        let job = PassiveJob.checkProposed(
            request: number, rows: request.rows.count, includesRevision: request.conflictIncludesRev, bytes: bytes)
        context.output.begin(job) { .checkProposed($0, collection: index, request.rows) }
    }

    /// A short answer would dismiss the rows that it leaves out.
    static func answerAnnouncement(
        _ number: UInt32?, of rows: Int, with result: PassiveResult, _ context: inout PassiveContext
    ) {
        guard case .wanted(let entries) = result, entries.count == rows else {
            return context.output.refuse(number, with: result.error)
        }
        var reply = ChangesReply(entries: entries, maxHistory: nil, understandsBlobs: false)
        reply.acceptsDeltas = context.configuration.usesDeltas
        context.output.respond(to: number, reply.properties, body: reply.body, isCompressed: true)
    }

    /// A short answer would request the rows that it leaves out.
    static func answerProposal(
        _ number: UInt32?, of rows: Int, includesRevision: Bool, with result: PassiveResult,
        _ context: inout PassiveContext
    ) {
        guard case .proposals(let entries) = result, entries.count == rows else {
            return context.output.refuse(number, with: result.error)
        }
        var reply = ProposeChangesReply(entries: includesRevision ? entries : entries.map(withoutRevision))
        reply.acceptsDeltas = context.configuration.usesDeltas
        context.output.respond(to: number, reply.properties, body: reply.body, isCompressed: true)
    }

    private static func withoutRevision(_ entry: ProposeChangesReply.Entry) -> ProposeChangesReply.Entry {
        switch entry {
        case .conflict: .conflict(serverRevision: nil)
        case .send, .known, .rejected: entry
        }
    }

    // MARK: - Revisions

    /// Revisions wait for the store, which is idle.
    var canStore: Bool { !isStoring && !queue.isEmpty }

    mutating func append(_ pushed: PushedRevision, _ context: inout PassiveContext) {
        context.storeBytes += pushed.bytes
        queue.append(pushed)
    }

    /// While the store works on a batch, the next one is collected, so that batches grow with the load.
    mutating func store(_ context: inout PassiveContext) {
        guard canStore else { return }
        let batch = Array(queue.prefix(PassiveLimits.storeBatch))
        queue.removeFirst(batch.count)
        isStoring = true
        context.output.begin(.storeRevisions(collection: index, batch)) { id in
            .storeRevisions(id, collection: index, batch.map(\.revision))
        }
    }

    /// - Parameter attachments: gets the revisions that cannot be stored without some.
    mutating func stored(
        _ batch: [PushedRevision], with result: PassiveResult, needing attachments: inout PushedAttachments,
        _ context: inout PassiveContext
    ) {
        isStoring = false
        context.storeBytes -= batch.reduce(0) { $0 + $1.bytes }
        guard case .stored(let outcomes) = result, outcomes.count == batch.count else {
            for pushed in batch { context.refuseAndNote(pushed, with: result.error) }
            return
        }
        for (pushed, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .stored:
                context.drop(pushed.handles)
                context.output.respond(to: pushed.number)
            case .refused(let error): context.refuse(pushed, with: error)
            case .needs(let needs): attachments.fetch(needs, for: pushed, &context)
            }
        }
    }
}
