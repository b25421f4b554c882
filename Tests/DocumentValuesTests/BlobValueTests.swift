import DocumentValues
import SeededRandom
import Testing

@Suite struct Base64Tests {
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF], "+/8="),
            ([0, 0, 0, 0], "AAAAAA=="),
        ] as [([UInt8], String)])
    func bothWays(bytes: [UInt8], text: String) {
        #expect(Base64.encode(bytes) == text && Base64.decode(text) == bytes)
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "=g==", "Z===", "Zg==Zg==", "Z g=", "Zm9_", "Zm9\u{E9}", "===="])
    func otherTextsAreNone(text: String) { #expect(Base64.decode(text) == nil) }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func randomBytesComeBack(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }
}

@Suite struct BlobDigestTests {
    private let hello = Array("hello".utf8)

    @Test func isTheHashOfTheContent() throws {
        let digest = BlobDigest(of: hello)
        #expect(digest.text == "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=" && BlobDigest(digest.text) == digest)
        #expect(digest.bytes.count == 20 && digest.bytes[0] == 0xAA)
        var builder = BlobDigestBuilder()
        for byte in hello { builder.update([byte]) }
        #expect(builder.finish() == digest && builder.length == 5)
    }

    @Test(arguments: [
        "", "qvTGHdzF6KLavt4PO0gs2a6pQ00=", "sha1-", "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00",
        "md5-qvTGHdzF6KLavt4PO0gs2a6pQ00=",
        "sha1-qvTGHdzF6KLavt4PO0gs2a6pQw==", "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ01=", "SHA1-qvTGHdzF6KLavt4PO0gs2a6pQ00=",
        "sha1-../../../../../../etc/passwd",
    ])
    func otherTextsAreNone(text: String) { #expect(BlobDigest(text) == nil) }

    @Test func possessionIsProvenWithANonce() {
        let proof = BlobDigest.proof(nonce: Array(0...19), content: hello)
        #expect(proof.text == "sha1-amTs4+FpzXf3dGz9c2EYJ2WckF4=")
    }
}

@Suite struct BlobReferenceTests {
    private static let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="
    private static let blob = #"{"@type":"blob","digest":"\#(digest)","length":5,"content_type":"text/plain"}"#

    @Test func allBlobsAreFoundWithTheirPaths() throws {
        let blob = Self.blob
        let text = #"""
            {"photo":\#(blob),"album":[1,{"thumb":\#(blob)}],"a/b":{"c~d":\#(blob)},
             "_attachments":{"x":\#(blob)},"inner":{"_attachments":{"y":\#(blob)}}}
            """#
        let references = try JSONValue(parsing: text).blobReferences()
        #expect(references.map(\.pointer) == ["/photo", "/album/1/thumb", "/a~1b/c~0d", "/inner/_attachments/y"])
        #expect(references.allSatisfy { $0.metadata.digest.text == Self.digest && $0.metadata.length == 5 })
        #expect(mayContainBlobs(Array(text.utf8)) && !mayContainBlobs(Array(#"{"type":"blob"}"#.utf8)))
    }

    @Test func aBlobWhoseNamesAreWrittenWithEscapesIsNoticed() throws {
        let text = #"{"photo":"# + Self.blob.replacing("@type", with: #"\u0040type"#) + "}"
        #expect(try JSONValue(parsing: text).blobReferences().map(\.pointer) == ["/photo"])
        #expect(mayContainBlobs(Array(text.utf8)))
    }

    @Test(arguments: [
        "{}", #"{"@type":"image","digest":"\#(digest)"}"#, #"{"@type":"blob"}"#, #"{"@type":"blob","digest":"x"}"#,
        #"{"@type":"blob","digest":5}"#, #"{"digest":"\#(digest)"}"#,
    ])
    func otherDictionariesAreNone(text: String) throws {
        #expect(BlobMetadata(try JSONObject(parsing: Array(text.utf8))) == nil)
        #expect(try JSONValue(parsing: "[\(text)]").blobReferences().isEmpty)
    }

    @Test func metadataAreWrittenAsTheyAreRead() throws {
        let metadata = try #require(BlobMetadata(try JSONObject(parsing: Array(Self.blob.utf8))))
        #expect(metadata.contentType == "text/plain" && BlobMetadata(metadata.object) == metadata)
    }
}

@Suite struct CollectionNameTests {
    @Test(arguments: [
        ("sites", "_default", "sites", "sites"), ("field.sites", "field", "sites", "field.sites"),
        ("_default.sites", "_default", "sites", "sites"), ("_default", "_default", "_default", "_default"),
        ("_default._default", "_default", "_default", "_default"), ("A-1.b_%2", "A-1", "b_%2", "A-1.b_%2"),
    ])
    func collections(text: String, scope: String, name: String, wire: String) throws {
        let collection = try CollectionName(parsing: text)
        #expect(collection.scope == scope && collection.name == name && collection.wireName == wire)
        #expect(collection.description == "\(scope).\(name)")
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a.b.c", "_a", "%a", "field._default", "a b", "é", String(repeating: "x", count: 252),
    ])
    func otherNamesAreNone(text: String) { #expect(throws: NameError.self) { try CollectionName(parsing: text) } }

    @Test(arguments: [("a", true), ("ä/ö ü", true), ("", false), ("_x", false), ("a\0", false), ("\u{7F}", false)])
    func documentIDs(id: String, isValid: Bool) { #expect(DocumentIDRules.isValid(id) == isValid) }

    @Test func idsHaveAtMost240Bytes() {
        #expect(DocumentIDRules.isValid(String(repeating: "é", count: 120)))
        #expect(!DocumentIDRules.isValid(String(repeating: "é", count: 120) + "x"))
        let generated = DocumentIDRules.generated(from: (0..<16).map { UInt8($0 * 17) })
        #expect(generated == "~ABEiM0RVZneImaq7zN3u_w" && DocumentIDRules.isValid(generated))
    }
}
