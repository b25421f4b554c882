import BLIPProtocol
import DocumentValues
import NIOCore

/// A pushed revision on its way to the store.
struct PushedRevision: Sendable {
    let collection: Int
    /// The request to answer; `nil` if the client wants no answer.
    let number: UInt32?
    var revision: IncomingRevision
    /// The memory that it takes while it waits, with its ancestors: a deletion has hardly a body, but may have
    /// thousands of them.
    let bytes: Int

    /// - Parameter deltaBytes: the length of the difference in which it came.
    init(_ rev: Rev, collection: Int, number: UInt32?, deltaBytes: Int? = nil) throws(BLIPErrorReply) {
        self.collection = collection
        self.number = number
        revision = try IncomingRevision(rev)
        revision.isFromDelta = deltaBytes != nil
        revision.messageBytes = deltaBytes ?? rev.body.readableBytes
        bytes = rev.waitingBytes + revision.history.ancestors.count * PassiveLimits.ancestorBytes
    }

    /// Content that the driver keeps for this revision.
    var handles: [AttachmentHandle] {
        revision.provided.values.compactMap { if case .content(let handle) = $0 { handle } else { nil } }
    }
}

extension Rev {
    /// The memory that it takes while it waits, without a list of its ancestors. Its names may have any length: only the
    /// store checks them.
    var waitingBytes: Int {
        let optional =
            (sequence?.utf8.count ?? 0) + (deltaSource?.utf8.count ?? 0) + (replacedRevision?.utf8.count ?? 0)
        let texts = documentID.utf8.count + revision.utf8.count + history.utf8.count + optional
        return PassiveLimits.revisionBytes + body.readableBytes + texts
    }
}
