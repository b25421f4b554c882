import BLIPProtocol
import DocumentValues
import NIOCore

/// A pushed revision on its way to the store.
struct PushedRevision: Sendable {
    let collection: Int
    /// The request to answer; `nil` when no answer is wanted.
    let number: UInt32?
    var revision: IncomingRevision
    /// What it takes in memory while it waits: a deletion has hardly a body, and may have thousands of ancestors.
    let bytes: Int

    /// - Parameter deltaBytes: of the difference in which it came.
    init(_ rev: Rev, collection: Int, number: UInt32?, deltaBytes: Int? = nil) throws(BLIPErrorReply) {
        self.collection = collection
        self.number = number
        let body = rev.body.readableBytes
        revision = try PushedBody.read(rev)
        revision.isFromDelta = deltaBytes != nil
        revision.messageBytes = deltaBytes ?? body
        bytes = body + PassiveLimits.revisionBytes + revision.history.ancestors.count * PassiveLimits.ancestorBytes
    }

    /// Content that the driver keeps for this revision.
    var handles: [AttachmentHandle] {
        revision.provided.values.compactMap { if case .content(let handle) = $0 { handle } else { nil } }
    }
}
