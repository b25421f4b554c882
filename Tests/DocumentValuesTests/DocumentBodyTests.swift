import DocumentValues
import Testing

/// What a body names is found once, however it came about.
@Suite struct DocumentBodyTests {
    private static let hello = BlobDigest(of: Array("hello".utf8))
    private static let world = BlobDigest(of: Array("world".utf8))
    private static let blob = #"{"@type":"blob","digest":"\#(hello.text)","length":5}"#

    @Test(
        arguments: [
            ("{}", [], []), (#"{"note":"sha1-no"}"#, [], []), (#"{"a":[\#(blob)],"b":\#(blob)}"#, [hello, hello], []),
            (
                #"{"p":\#(blob),"_attachments":{"cv":{"digest":"\#(world.text)","stub":true},"odd":1}}"#, [hello],
                [world]
            ),
        ] as [(String, [BlobDigest], [BlobDigest])])
    func blobsAndAttachmentsAreFound(text: String, blobs: [BlobDigest], attachments: [BlobDigest]) throws {
        let bytes = Array(text.utf8)
        for body in try [
            DocumentBody(reading: bytes), DocumentBody(scanned: bytes), DocumentBody(JSONObject(parsing: bytes)),
        ] {
            #expect(body.blobs.map(\.digest) == blobs && body.attachments.map(\.digest) == attachments)
            #expect(body.digests == Set(blobs + attachments) && body.named.count == (blobs + attachments).count)
            #expect(body.bytes == bytes)
        }
    }

    /// Any character of a text may be written as its number, and a client may do so where none has to be.
    @Test(arguments: [(#"sha1\u002d"#, "@type"), (#"\u0073ha1-"#, "@type"), ("sha1-", #"\u0040type"#)])
    func aBlobIsFoundHoweverItsCharactersAreWritten(start: String, type: String) throws {
        let blob = Self.blob.replacing("sha1-", with: start).replacing("@type", with: type)
        let bytes = Array(#"{"p":\#(blob)}"#.utf8)
        #expect(mayContainBlobs(bytes))
        #expect(try DocumentBody(scanned: bytes).digests == [Self.hello])
    }

    @Test(arguments: [
        "{}", #"{"day":"2030-01-01","line":"a\nb\\","type":"blob"}"#, #"{"@type":"blob","digest":"sha2-x"}"#, "-", "\\",
    ]) func mostBodiesAreNotReadForBlobs(text: String) {
        #expect(!mayContainBlobs(Array(text.utf8)))
    }

    @Test(arguments: ["[1]", #"{"a":"#, "", "1", #"{"a":1}x"#, "\u{FEFF}{}"])
    func whatIsNoObjectIsNoBody(text: String) {
        #expect(throws: JSONError.self) { try DocumentBody(reading: Array(text.utf8)) }
    }

    @Test func theEmptyBodyIsAnObject() throws {
        #expect(try DocumentBody(reading: Array("{}".utf8)) == .empty)
    }
}
