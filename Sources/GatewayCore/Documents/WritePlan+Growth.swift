import AccessControl
import DocumentValues

extension WritePlan {
    /// By how many bytes the write makes the disk fuller, with what the sync function says of it; 0 where the document takes
    /// less than before.
    ///
    /// Each channel that the document never was in takes a row, which stays when the document leaves the channel.
    func growth(_ decisions: [SyncDecision?]) -> Int {
        let channels = stored?.channels ?? DocumentChannels()
        let known = Set(channels.past.map(\.channel)).union(channels.current.keys)
        let (entered, names) = decisions.compactMap(\.self).reduce((0, 0)) { sum, decision in
            decision.channels.reduce(sum) { known.contains($1) ? $0 : ($0.0 + 1, $0.1 + $1.text.utf8.count) }
        }
        let rows = max(0, entered - GatewayLimits.channelsOfRow) * GatewayLimits.bytesOfChannel
        let granted = decisions.compactMap(\.self).reduce(-(stored?.grants.bytesOnDisk ?? 0)) {
            $0 + DocumentGrants($1.outcome).bytesOnDisk
        }
        return max(0, change(expecting: 0) + rows + names * GatewayLimits.copiesOfName + granted)
    }

    /// The same without what the sync function says.
    ///
    /// - Parameter expected: bytes of attachments that have not come yet.
    func growth(expecting expected: Int) -> Int { max(0, change(expecting: expected)) }

    /// Below 0 where the document takes less than before.
    ///
    /// Attachments that go are not taken off: they stay for a while, and how long they are is what some client said. The
    /// deletion of a document that is here may be stored on any disk, as long as it does not carry another one with it.
    /// Those of documents that never were would fill the disk as others do.
    private func change(expecting expected: Int) -> Int {
        let written =
            document.body.count + (attachments.metadata?.bytes.count ?? 0) + expected + bytesOfNewRevisions
            + (stored == nil ? GatewayLimits.bytesOfRow : 0)
        let size = newAttachments.reduce(written) { $0 + ($1.length ?? 0) }
        let change = replacedLeaves.reduce(size) { $0 - $1.bytesHeld }
        let isDeletionOfLive = document.isDeleted && stored?.isDeleted == false
        return isDeletionOfLive ? change - GatewayLimits.uncountedDeletion : change
    }

    /// A client chooses how many ancestors a revision has, and how long their ids are.
    private var bytesOfNewRevisions: Int {
        let known = stored?.tree.nodes.count ?? 0
        // Nearly all writes add one to what is there.
        guard tree.nodes.count > known + 1 else { return 0 }
        let all = tree.nodes.reduce(0) { $0 + $1.revision.description.utf8.count }
        return all * (tree.nodes.count - known) / tree.nodes.count
    }

    private var newAttachments: [AttachmentContent] {
        guard !attachments.content.isEmpty else { return [] }
        let known = state?.digests ?? []
        return attachments.content.filter { !known.contains($0.key) }.map(\.value)
    }

    private var replacedLeaves: [StoredRevision] {
        ((stored.map { [$0.current] } ?? []) + branches).filter { !tree.isLeaf($0.revision) }
    }
}

extension IncomingDocument {
    /// Bytes of its attachments that lie on the disk already.
    var stagedBytes: Int { content.values.reduce(0) { $0 + $1.bytesOnDisk } }
}
