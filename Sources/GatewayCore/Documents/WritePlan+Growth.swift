import AccessControl
import DocumentValues

extension WritePlan {
    /// How many more bytes of the disk the document takes after the write, with the decision of the sync function; 0 if it
    /// takes less than before.
    ///
    /// Each channel that the document never was in takes a row, which stays when the document leaves the channel.
    func growth(_ decisions: [SyncDecision?]) -> Int {
        let known = stored.map { Set($0.channels.past.map(\.channel)).union($0.channels.current.keys) } ?? []
        var (entered, names) = (0, 0)
        var granted = -(stored?.grants.bytesOnDisk ?? 0)
        for case .some(let decision) in decisions {
            for channel in decision.channels where !known.contains(channel) {
                entered += 1
                names += channel.text.utf8.count
            }
            granted += decision.grants.bytesOnDisk
        }
        let rows = max(0, entered - GatewayLimits.channelsOfRow) * GatewayLimits.bytesOfChannel
        return max(0, change(expecting: 0) + rows + names * GatewayLimits.copiesOfName + granted)
    }

    /// The same without the decision of the sync function.
    ///
    /// - Parameter expected: bytes of attachments that are still to be sent.
    func growth(expecting expected: Int) -> Int { max(0, change(expecting: expected)) }

    /// Below 0 if the document takes less than before.
    ///
    /// Removed attachments are not subtracted: they stay for a while, and their lengths come from a client. The deletion
    /// of an existing document may be stored on any disk, as long as it does not have a large body. Deletions of
    /// documents that never existed count, because they could fill the disk.
    private func change(expecting expected: Int) -> Int {
        let written =
            document.body.count + (attachments.metadata?.byteCount ?? 0) + expected + bytesOfNewRevisions
            + (stored == nil ? GatewayLimits.bytesOfRow : 0)
        let size = newAttachments.reduce(written) { $0 + ($1.length ?? 0) }
        let change = replacedLeaves.reduce(size) { $0 - $1.bytesHeld }
        let isDeletionOfLive = document.isDeleted && stored?.isDeleted == false
        return isDeletionOfLive ? change - GatewayLimits.uncountedDeletion : change
    }

    /// A client chooses how many ancestors a revision has, and how long their ids are.
    private var bytesOfNewRevisions: Int {
        let known = stored?.tree.nodes.count ?? 0
        // Nearly all writes add one revision.
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
    /// Bytes of its attachments that are on the disk already.
    var stagedBytes: Int { content.values.reduce(0) { $0 + $1.bytesOnDisk } }
}
