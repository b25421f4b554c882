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
        revision = try PushedBody.read(rev)
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
    /// What it takes in memory while it waits, beside a list of its ancestors. Names of any length come this far: whether the
    /// store takes them is found out by the store.
    var waitingBytes: Int {
        let texts = [documentID, revision, history, sequence ?? "", deltaSource ?? "", replacedRevision ?? ""]
        return PassiveLimits.revisionBytes + body.readableBytes + texts.reduce(0) { $0 + $1.utf8.count }
    }
}
