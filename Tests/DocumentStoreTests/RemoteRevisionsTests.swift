import DocumentValues
import Testing

@testable import DocumentStore

@Suite struct RemoteRevisionsTests {
    /// Whatever a peer may send as a digest is read as it was written.
    @Test func everyDigestComesBack() throws {
        let bytes = (0x21..<0x7F).map { String(decoding: [UInt8($0)], as: UTF8.self) }
        let digests = bytes.filter { TreeRevision.isDigest($0) }.flatMap { [$0, "a\($0)b", "\($0)1-a", "a\($0)1-b"] }
        #expect(digests.count > 300)
        for digest in digests {
            let revision = RevisionID(generation: 2, digest: digest)
            let local = RevisionID(generation: 3, digest: "c\(digest)")
            var remotes = RemoteRevisions()
            remotes.set(revision, of: 1)
            remotes.set(revision, of: 2, sameAs: local)
            let read = RemoteRevisions(parsing: remotes.text)
            #expect(read == remotes, "\(remotes.text)")
            #expect(read[1] == revision && read.local(of: 1) == revision)
            #expect(read[2] == revision && read.local(of: 2) == local)
        }
    }

    @Test(arguments: [
        ("1=2-ab", "2-ab", "2-ab"), ("1=2-ab~3-cd", "2-ab", "3-cd"), ("1=2-ab/3-cd", "2-ab", "3-cd"),
        ("1=2-a~b/", "2-a~b", "2-a~b"), ("1=2-a~1-b/", "2-a~1-b", "2-a~1-b"),
    ])
    func bothFormsAreRead(text: String, remote: String, local: String) {
        let read = RemoteRevisions(parsing: text)
        #expect(read[1]?.description == remote && read.local(of: 1)?.description == local)
    }
}
