import BLIPProtocol
import DocumentValues

/// The push side of one collection: revisions that wait for the store, and those that wait for attachments.
struct PassivePush {
    struct Pushed {
        /// The request to answer; `nil` when no answer is wanted.
        let number: UInt32?
        var revision: IncomingRevision
        let size: Int
        var needs: [AttachmentNeed] = []
        var providedBytes = 0
    }

    var queue: [Pushed] = []
    /// What the store is working on.
    var storing: [Pushed] = []
    var isStoring = false

    mutating func takeBatch() -> [Pushed] {
        let batch = Array(queue.prefix(PassiveLimits.storeBatch))
        queue.removeFirst(batch.count)
        return batch
    }
}
