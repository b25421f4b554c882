import DocumentValues
import Testing

@testable import GatewayCore

/// The memory of replaced revisions that are remembered.
@Suite struct RevisionCacheTests {
    /// With long names alone, a few of them would take gigabytes.
    @Test func theNamesOfAttachmentsCount() {
        func revision(_ name: String) -> StoredRevision {
            StoredRevision(
                revision: RevisionID(generation: 1, digest: "a"), isDeleted: false, channels: [], sequence: 1,
                expires: nil,
                attachments: StoredAttachments(entries: [AttachmentEntry(name: name, object: ["stub": true])]),
                body: Array("{}".utf8))
        }
        #expect(revision("f").bytesHeld < 100)
        #expect(revision(String(repeating: "n", count: 10_000)).bytesHeld > 10_000)
    }
}
