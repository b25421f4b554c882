import DocumentValues
import NIOCore
import Testing

@testable import SyncProtocol

/// Between two databases of a process a body is taken apart and joined; the result is that of a body that was pulled.
@Suite struct StoredBodiesTests {
    private static let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="
    private static let other = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="
    private static let blob = #"{"@type":"blob","digest":"\#(digest)","length":5}"#

    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"a":1,"_exp":5,"_cv":"1@x"}"#, #"{"p":\#(blob)}"#,
        #"{"_attachments":{"blob_/p":{"digest":"\#(digest)","length":5,"stub":true}},"p":\#(blob)}"#,
        #"{"p":\#(blob),"_attachments":{"blob_/p":{"digest":"\#(other)","length":3,"content_type":"a/b"}}}"#,
        #"{"p":\#(blob),"_attachments":{"blob_0":{"digest":"\#(digest)"},"file":{"digest":"\#(other)","stub":true}}}"#,
        #"{"p":\#(blob),"_attachments":{"blob_/q":{"digest":"\#(other)"},"odd":1,"blob_/p":2}}"#,
        #"{"p":{"@type":"blob","digest":"sha1\u002dqvTGHdzF6KLavt4PO0gs2a6pQ00="},"_attachments":{}}"#,
        #"{"p":1,"p":\#(blob),"_attachments":5}"#,
    ])
    func areThoseOfAPulledBody(message: String) throws {
        let rev = Rev(collection: nil, documentID: "a", revision: "2-b", body: ByteBuffer(string: message))
        let stored = try IncomingRevision(rev).storedForm()
        guard case .document(let pulled) = try PulledBody(reading: Array(message.utf8)) else {
            Issue.record("the body is none of a document")
            return
        }
        #expect(String(decoding: stored.bytes, as: UTF8.self) == String(decoding: pulled.bytes, as: UTF8.self))
        #expect(stored.blobs == pulled.blobs && stored.attachments == pulled.attachments)
        #expect(try DocumentBody(reading: stored.bytes).digests == stored.digests)
    }

    /// The digests are known when the body is made, so it is not read for them again.
    @Test(
        arguments: [
            (#"{"a":1}"#, []), (#"{"p":\#(blob)}"#, [digest]),
            (#"{"p":\#(blob),"_attachments":{"file":{"digest":"\#(other)","stub":true}}}"#, [other, digest]),
            (#"{"_attachments":{"file":{"digest":"\#(other)","stub":true}}}"#, [other]),
        ] as [(String, [String])])
    func aLoadedBodyHasItsDigestsBesideIt(text: String, digests: [String]) throws {
        let loaded = try LoadedRevision.found(
            revision: RevisionID(generation: 2, digest: "b"), history: RevisionHistory(), isDeleted: false,
            storedBody: Array(text.utf8))
        guard case .found(_, _, _, let body, let attachments) = loaded else {
            Issue.record("it is not found")
            return
        }
        #expect(attachments == digests)
        let listed = try JSONObject(parsing: body)["_attachments"]?.objectValue.map { AttachmentList($0) }
        #expect((listed?.entries ?? []).compactMap { $0.digest?.text } == digests)
    }
}
