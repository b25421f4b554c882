import DocumentValues

extension WritePlan {
    /// By how many bytes the write makes the disk fuller; 0 where the document takes less than before.
    ///
    /// Attachments that go are not taken off: they stay for a while, and how long they are is what some client said. A
    /// deletion may be stored on any disk, as long as it does not carry a document with it.
    ///
    /// - Parameter expected: bytes of attachments that have not come yet.
    func growth(expecting expected: Int = 0) -> Int {
        let size = newAttachments.reduce(document.body.count + expected) { $0 + ($1.length ?? 0) }
        let growth = replacedLeaves.reduce(size) { $0 - $1.body.count }
        return max(0, document.isDeleted ? growth - GatewayLimits.uncountedDeletion : growth)
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
