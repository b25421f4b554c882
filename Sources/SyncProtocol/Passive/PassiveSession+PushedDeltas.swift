import BLIPProtocol
import DocumentValues
import NIOCore

/// A revision that is pushed as a difference.
struct PushedDelta {
    let collection: Int
    /// The request to answer; `nil` when no answer is wanted.
    let number: UInt32?
    let rev: Rev
    let source: RevisionID

    var bytes: Int { rev.body.readableBytes }
}

/// Differences that cannot be stored yet, in the order in which they came.
struct PushedDeltas {
    private var waiting = CircularBuffer<PushedDelta>()
    /// Of how many, the first ones, the driver is reading the sources.
    private(set) var loading = 0

    var isEmpty: Bool { waiting.isEmpty }
    var next: PushedDelta? { waiting.first }

    mutating func append(_ delta: PushedDelta) { waiting.append(delta) }

    /// The next ones of one collection. They stay until their sources have come.
    mutating func beginBatch() -> [PushedDelta] {
        let collection = next?.collection
        let batch = Array(waiting.prefix(PassiveLimits.loadedSources).prefix { $0.collection == collection })
        loading = batch.count
        return batch
    }

    /// The first ones, whose sources have come. What the driver had no room for is read with the next batch.
    mutating func endBatch(_ count: Int) -> [PushedDelta] {
        loading = 0
        let done = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        return done
    }
}

/// Revisions that are pushed as differences (§6.8): made whole first, and then like all others, so that nothing behind
/// this sees anything but whole documents.
extension PassiveSession {
    mutating func pushDelta(
        _ rev: Rev, _ source: String, _ collection: Int, _ number: UInt32?
    ) throws(BLIPErrorReply) {
        guard usesDeltas else { throw .badRequest("Deltas are disabled for this peer") }
        guard let source = RevisionID(source) else { throw Self.unusableDelta }
        let pushed = PushedDelta(collection: collection, number: number, rev: rev, source: source)
        storeBytes += pushed.bytes
        deltas.append(pushed)
    }

    /// The client repeats the revision as a whole.
    private static let unusableDelta = BLIPErrorReply.http(422, "The delta does not fit what is stored")

    /// A few bytes may become a large document: sources are read one batch at a time, and only while there is room for
    /// what they become, or nothing else is there to make room.
    mutating func startPatches() {
        guard deltas.loading == 0, let first = deltas.next else { return }
        let isIdle = pushes.values.allSatisfy { $0.queue.isEmpty && $0.storing.isEmpty }
        guard storeBytes <= PassiveLimits.storeBytes || isIdle else { return }
        let sources = deltas.beginBatch().map { delta in
            DeltaSource(documentID: delta.rev.documentID, revision: delta.source)
        }
        let id = job(.loadSources(collection: first.collection))
        actions.append(.loadSources(id, collection: first.collection, sources))
    }

    mutating func sourcesLoaded(_ collection: Int, _ result: PassiveResult) {
        guard case .sources(let sources) = result, !sources.isEmpty, sources.count <= deltas.loading else {
            for delta in deltas.endBatch(deltas.loading) { giveUp(delta, Self.error(result)) }
            return
        }
        for (delta, source) in zip(deltas.endBatch(sources.count), sources) { patch(delta, source) }
    }

    private mutating func patch(_ delta: PushedDelta, _ source: [UInt8]?) {
        guard let whole = source.flatMap({ DeltaBody.wirePatched($0, with: delta.rev.body.byteArray) }) else {
            return giveUp(delta, Self.unusableDelta)
        }
        var rev = delta.rev
        rev.body = ByteBuffer(bytes: whole)
        rev.deltaSource = nil
        do throws(BLIPErrorReply) {
            try push(rev, delta.collection, delta.number, deltaBytes: delta.rev.body.readableBytes)
            storeBytes -= delta.bytes
        } catch {
            giveUp(delta, error)
        }
    }

    private mutating func giveUp(_ delta: PushedDelta, _ error: BLIPErrorReply) {
        storeBytes -= delta.bytes
        refuse(delta.number, error)
    }
}
