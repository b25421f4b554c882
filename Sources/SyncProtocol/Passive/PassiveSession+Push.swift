import BLIPProtocol
import DocumentValues
import NIOCore

/// Pushed revisions: to the store in batches, and what becomes of them.
extension PassiveSession {
    mutating func push(
        _ rev: Rev, _ collection: Int, _ number: UInt32?, deltaBytes: Int? = nil
    ) throws(BLIPErrorReply) {
        var revision = try PushedBody.read(rev)
        revision.isFromDelta = deltaBytes != nil
        revision.messageBytes = deltaBytes ?? rev.body.readableBytes
        enqueue(
            PushedRevision(
                collection: collection, number: number, revision: revision, bytes: rev.body.readableBytes))
    }

    mutating func enqueue(_ pushed: PushedRevision) {
        storeBytes += pushed.bytes
        pushes[pushed.collection, default: PassivePush()].queue.append(pushed)
    }

    /// One batch a collection at a time.
    mutating func startStores() {
        for collection in pushes.keys.sorted() {
            guard let push = pushes[collection], push.storing.isEmpty, !push.queue.isEmpty else { continue }
            let batch = pushes[collection]?.takeBatch() ?? []
            let id = job(.store(collection: collection))
            actions.append(.storeRevisions(id, collection: collection, batch.map(\.revision)))
        }
    }

    mutating func revisionsStored(_ collection: Int, _ result: PassiveResult) {
        let batch = pushes[collection]?.storing ?? []
        pushes[collection]?.storing = []
        if pushes[collection]?.queue.isEmpty == true { pushes[collection] = nil }
        storeBytes -= batch.reduce(0) { $0 + $1.bytes }
        guard case .stored(let outcomes) = result, outcomes.count == batch.count else {
            for pushed in batch {
                drop(pushed.handles)
                refuse(pushed.number, Self.error(result))
            }
            return
        }
        for (pushed, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .stored:
                drop(pushed.handles)
                respond(pushed.number)
            case .refused(let error):
                drop(pushed.handles)
                refuse(pushed.number, error)
            case .needs(let needs): fetch(needs, for: pushed)
            }
        }
    }
}
