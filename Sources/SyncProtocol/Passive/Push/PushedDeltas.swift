import BLIPProtocol
import DocumentValues
import NIOCore

/// A revision that is pushed as a difference.
struct PushedDelta: Sendable {
    let collection: Int
    /// The request to answer; `nil` if the client wants no answer.
    let number: UInt32?
    let rev: Rev
    let source: RevisionID

    init(_ rev: Rev, from source: String, collection: Int, number: UInt32?) throws(BLIPErrorReply) {
        guard let source = RevisionID(source) else { throw Self.unusable }
        self.collection = collection
        self.number = number
        self.rev = rev
        self.source = source
    }

    /// The memory that it takes while it waits.
    var bytes: Int { rev.waitingBytes }

    /// - Parameter body: of the source; `nil` if it is not available.
    func patched(_ body: [UInt8]?) throws(BLIPErrorReply) -> PushedRevision {
        guard let whole = body.flatMap({ DeltaBody.wirePatched($0, with: rev.body.byteArray) }) else {
            throw Self.unusable
        }
        var patched = rev
        patched.body = ByteBuffer(bytes: whole)
        patched.deltaSource = nil
        return try PushedRevision(patched, collection: collection, number: number, deltaBytes: rev.body.readableBytes)
    }

    /// After this answer, the client sends the whole revision.
    private static let unusable = BLIPErrorReply.http(422, message: "The delta does not fit what is stored")
}

/// Revisions that are pushed as differences (§6.8), in the order in which they came. They are made whole first, so that
/// all later steps only see whole documents.
struct PushedDeltas: Sendable {
    private var waiting = CircularBuffer<PushedDelta>()
    /// The number of the first ones, whose sources the driver is reading.
    private var loading = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ delta: PushedDelta, _ context: inout PassiveContext) {
        context.storeBytes += delta.bytes
        waiting.append(delta)
    }

    /// A few bytes may become a large document: so sources are read one batch at a time, and only if there is room for
    /// the whole documents, or if no other work could make room. The differences wait here until their sources have
    /// come.
    mutating func loadSources(for collections: [PassiveCollection], _ context: inout PassiveContext) {
        guard loading == 0, let collection = waiting.first?.collection else { return }
        guard context.storeBytes <= PassiveLimits.storeBytes || collections.allSatisfy(\.receiver.isIdle) else {
            return
        }
        let batch = waiting.prefix(PassiveLimits.loadedSources).prefix { $0.collection == collection }
        let sources = batch.map { DeltaSource(documentID: $0.rev.documentID, revision: $0.source) }
        loading = sources.count
        context.output.begin(.loadSources) { .loadSources($0, collection: collection, sources) }
    }

    /// Sources for which the driver had no room are read with the next batch.
    ///
    /// - Returns: the revisions that are whole now.
    mutating func sourcesLoaded(_ result: PassiveResult, _ context: inout PassiveContext) -> [PushedRevision] {
        guard case .sources(let bodies) = result, !bodies.isEmpty, bodies.count <= loading else {
            for delta in endBatch(loading, &context) { Self.refuse(delta, with: result.error, in: &context) }
            return []
        }
        var whole: [PushedRevision] = []
        for (delta, body) in zip(endBatch(bodies.count, &context), bodies) {
            do throws(BLIPErrorReply) {
                whole.append(try delta.patched(body))
            } catch {
                Self.refuse(delta, with: error, in: &context)
            }
        }
        return whole
    }

    private static func refuse(_ delta: PushedDelta, with error: BLIPErrorReply, in context: inout PassiveContext) {
        context.noteRefusal(
            of: delta.rev.documentID, revision: delta.rev.revision, collection: delta.collection, with: error)
        context.output.refuse(delta.number, with: error)
    }

    /// - Returns: the first ones.
    private mutating func endBatch(_ count: Int, _ context: inout PassiveContext) -> [PushedDelta] {
        loading = 0
        let done = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        context.storeBytes -= done.reduce(0) { $0 + $1.bytes }
        return done
    }
}
