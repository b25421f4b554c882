import DocumentValues
import Testing

/// How long names may be, and of which bytes.
@Suite struct NameLimitTests {
    @Test(arguments: [
        (String(repeating: "x", count: 251), true), (String(repeating: "x", count: 252), false), ("a", true),
        ("0", true),
        ("-", true), ("a%", true), ("a_", true), ("_a", false), ("%a", false), ("", false), ("a.b", false),
        ("a\u{0}", false),
        ("a ", false), ("a\u{301}", false), ("\u{212A}", false), ("\u{FF41}", false), ("\u{430}", false),
        ("a/b", false),
    ])
    func namesOfScopesAndCollectionsAreASCII(name: String, isOne: Bool) {
        #expect(((try? CollectionName(name: name)) != nil) == isOne)
        #expect(((try? CollectionName(scope: name, name: "c")) != nil) == isOne)
    }

    @Test func whatIsWrongWithANameIsSaid() {
        let collection = #expect(throws: NameError.self) { try CollectionName(scope: "s", name: "_c") }
        #expect(collection?.kind == .collection && collection?.name == "_c")
        let scope = #expect(throws: NameError.self) { try CollectionName(scope: "s s", name: "_c") }
        #expect(scope?.description.hasPrefix("'s s' is not a scope name: use letters, digits") == true)
        let both = #expect(throws: NameError.self) { try CollectionName(parsing: "a.b.c") }
        #expect(both?.kind == .collection && both?.name == "a.b.c")
    }

    @Test func theDefaultCollectionIsInTheDefaultScope() throws {
        #expect(try CollectionName(name: "_default").isDefault && CollectionName(name: "_default") == .default)
        #expect(throws: NameError.self) { try CollectionName(scope: "s", name: "_default") }
        #expect(try !CollectionName(name: "c").isDefault && CollectionName(name: "c").scope == "_default")
        #expect(CollectionName.default.wireName == "_default" && "\(CollectionName.default)" == "_default._default")
    }

    /// Scopes first, then collections, each by their bytes.
    @Test func collectionsHaveAnOrder() throws {
        let texts = ["A.z", "_default", "a", "b.a", "b.aa", "b.b", "c.a", "c-.a"]
        let names = try texts.map { try CollectionName(parsing: $0) }
        #expect(names.shuffled().sorted() == names)
        #expect(Set(names + names).count == names.count)
    }

    @Test(arguments: [
        (240, true, true), (241, false, true), (250, false, true), (251, false, false), (1, true, true),
        (0, false, false),
    ])
    func anIDThatComesMayBeLongerThanOneMadeHere(length: Int, isValid: Bool, isAcceptable: Bool) {
        let id = String(repeating: "x", count: length)
        #expect(DocumentIDRules.isValid(id) == isValid && DocumentIDRules.isAcceptable(id) == isAcceptable)
    }

    @Test(arguments: ["_x", "_", "a\nb", "\u{1F}", "\u{7F}", "a\u{0}"])
    func controlsAndUnderscoresAreInNoID(id: String) {
        #expect(!DocumentIDRules.isValid(id) && !DocumentIDRules.isAcceptable(id))
    }

    @Test func idsThatAreMadeDiffer() {
        let (zeros, ones) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 255, count: 16))
        #expect(DocumentIDRules.generated(from: zeros) == "~" + String(repeating: "A", count: 22))
        #expect(DocumentIDRules.generated(from: ones) == "~" + String(repeating: "_", count: 21) + "w")
    }

    @Test(arguments: [
        ("_id", true), ("_rev", true), ("_cv", true), ("_deleted", true), ("_revisions", true), ("_removed", true),
        ("_purged", true), ("_exp", true), ("_sync", true), ("_sync_", true), ("_sync_x", true),
        ("_sync_\u{301}", true),
        ("_attachments", false), ("_syncx", false), ("id", false), ("_ID", false), ("_", false), ("", false),
        ("_id\u{301}", false), ("_id ", false),
    ])
    func membersOfTheProtocolAreReserved(name: String, isReserved: Bool) {
        #expect(ReservedMember.isReserved(name) == isReserved)
    }

    @Test(
        arguments: [
            (#"{"digest":"\#(digest)","length":5,"content_type":"a/b"}"#, 5, "a/b"),
            (#"{"digest":"\#(digest)"}"#, nil, nil),
            (#"{"digest":"\#(digest)","length":-1,"stub":true}"#, nil, nil),
            (#"{"digest":"\#(digest)","length":"5","content_type":1}"#, nil, nil),
        ] as [(String, UInt64?, String?)])
    func anAttachmentIsReadWithWhatItSays(json: String, length: UInt64?, contentType: String?) throws {
        let metadata = try #require(BlobMetadata(attachment: try JSONValue(parsing: json)))
        #expect(metadata.digest.text == Self.digest && metadata.length == length && metadata.contentType == contentType)
    }

    private static let digest = "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="

    @Test(arguments: ["{}", "[]", "1", #"{"digest":1}"#, #"{"digest":"sha1-x"}"#, "null"])
    func whatHasNoDigestIsNoAttachment(json: String) throws {
        #expect(BlobMetadata(attachment: try JSONValue(parsing: json)) == nil)
    }
}
