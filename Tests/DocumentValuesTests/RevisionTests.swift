import DocumentValues
import Testing

@Suite struct RevisionIDTests {
    @Test(arguments: [("1-a", 1, "a"), ("42-00ff", 42, "00ff"), ("4294967295-x-y", 4_294_967_295, "x-y")])
    func isRead(text: String, generation: UInt32, digest: String) {
        let revision = RevisionID(text)
        #expect(revision?.treeRevision == TreeRevision(generation: generation, digest: digest))
        #expect(revision?.description == text)
    }

    @Test(arguments: [
        "", "-", "1", "1-", "-a", "0-a", "01-a", "+1-a", "1.0-a", "4294967296-a", "a-1", " 1-a", "٣-a",
        "1@AliceAliceAliceAliceAg",
    ])
    func otherTextsAreNone(text: String) { #expect(RevisionID(text) == nil) }

    /// They would end a revision in the middle of a history, a stored tree or a message's property.
    @Test(arguments: ["1-a,2-b", "1-a b", "1-a/0", "1-a!", "1-a\u{0}", "1-a\n", "1-\u{301}a", "1-é"])
    func digestsAreVisibleAndHoldNoSeparator(text: String) { #expect(RevisionID(text) == nil) }

    @Test func orderIsByGenerationThenByDigest() throws {
        let order = ["1-ff", "2-0a", "2-0b", "2-a", "10-00"].compactMap { RevisionID($0) }
        #expect(order.shuffled().sorted { $1.wins(over: $0) } == order)
    }

    @Test func histories() throws {
        let history = try #require(RevisionHistory(parsing: "3-c, 2-b,1-a"))
        #expect(history.description == "3-c,2-b,1-a" && history.parent == RevisionID("3-c"))
        #expect(RevisionHistory(parsing: "")?.ancestors == [] && RevisionHistory(parsing: "3-c,x") == nil)
        #expect(history.appending(RevisionID("4-d")!, limit: 3).description == "4-d,3-c,2-b")
        #expect(history.prefix(through: RevisionID("2-b"), limit: 10).description == "3-c,2-b")
        #expect(history.prefix(through: RevisionID("9-x"), limit: 2).description == "3-c,2-b")
        #expect(history.prefix(through: nil, limit: 10) == history && history.contains(RevisionID("1-a")!))
    }
}

/// The examples of the protocol's specification, some of which are in the tests of Sync Gateway itself.
@Suite struct RevisionDigestTests {
    @Test(arguments: [
        (nil, #"{"prop":true}"#, "1-45ca73d819d5b1c9b8eea95290e79004"),
        (nil, #"{"name":"Ann","age":7}"#, "1-3016bae19527427ec5522014508753be"),
        ("1-3016bae19527427ec5522014508753be", #"{"name":"A&B","age":8}"#, "2-a2344a7bfc7335355850cbd7fa2afd6f"),
        ("2-a2344a7bfc7335355850cbd7fa2afd6f", #"{"_deleted":true}"#, "3-b11f0ea1b8cf7e3919725bcf1f3d1517"),
    ])
    func aGatewaysRevisions(parent: String?, body: String, revision: String) throws {
        let body = try JSONValue(parsing: body)
        #expect(
            RevisionDigest.gatewayRevision(parent: parent.flatMap { RevisionID($0) }, body: body).description
                == revision)
    }

    @Test func aClientsTombstone() {
        let parent = RevisionID("1-4bc970051bfa9c99dad589b447ba50bdab0e94e0")
        for body in [[], Array("{}".utf8)] {
            #expect(
                RevisionDigest.clientRevision(parent: parent, body: body, isDeleted: true).description
                    == "2-328fa4d1b3ef78fda095808ef62430d8ed41bbba")
        }
    }

    @Test func deletionsAreKnownByTheirParent() throws {
        let parent = try #require(RevisionID("2-a2344a7bfc7335355850cbd7fa2afd6f"))
        let other = try #require(RevisionID("2-a2344a7bfc7335355850cbd7fa2afd60"))
        let body = Array("{}".utf8)
        for deletion in [
            RevisionDigest.clientRevision(parent: parent, body: body, isDeleted: true),
            RevisionDigest.gatewayRevision(parent: parent, body: ["_deleted": true]),
        ] {
            #expect(RevisionDigest.isDeletion(deletion, of: parent))
            #expect(!RevisionDigest.isDeletion(deletion, of: other))
        }
        for live in [
            RevisionDigest.clientRevision(parent: parent, body: body, isDeleted: false),
            RevisionDigest.gatewayRevision(parent: parent, body: [:]), parent, RevisionID(generation: 3, digest: "a"),
        ] {
            #expect(!RevisionDigest.isDeletion(live, of: parent))
        }
    }

    @Test func messagesCarryShortDigestsAndVersions() throws {
        let longest = RevisionLimits.digestBytes
        for length in [1, longest, longest + 1] {
            let revision = RevisionID(generation: .max, digest: String(repeating: "a", count: length))
            #expect(revision.isSendable == (length <= longest))
        }
        let version = try #require(Version("1@AAAAAAAAAAAAAAAAAAAAAQ"))
        #expect(RevisionID.version(version).isSendable)
    }

    @Test func theHighestGenerationHasChildren() throws {
        let parent = try #require(RevisionID("4294967295-abc"))
        let child = RevisionDigest.gatewayRevision(parent: parent, body: [:])
        #expect(child.treeRevision?.generation == .max && child != parent)
        #expect(
            RevisionDigest.clientRevision(parent: parent, body: [], isDeleted: false).treeRevision?.generation == .max)
    }

    @Test func aClientsRevisionDependsOnParentAndBody() {
        let body = Array(#"{"a":1}"#.utf8)
        let first = RevisionDigest.clientRevision(parent: nil, body: body, isDeleted: false)
        #expect(first.treeRevision?.generation == 1 && first.treeRevision?.digest.utf8.count == 40)
        #expect(first == RevisionDigest.clientRevision(parent: nil, body: body, isDeleted: false))
        #expect(first != RevisionDigest.clientRevision(parent: nil, body: Array("{}".utf8), isDeleted: false))
        let child = RevisionDigest.clientRevision(parent: first, body: body, isDeleted: false)
        #expect(child.treeRevision?.digest != first.treeRevision?.digest)
        // A Fleece body, as older clients hash it: the bytes are taken as they come.
        let fleece: [UInt8] = [
            0x45, 0x6E, 0x6F, 0x72, 0x74, 0x68, 0x60, 0x01, 0x80, 0x04, 0x70, 0x01, 0x00, 0x00, 0x80, 0x04, 0x80, 0x03,
        ]
        #expect(
            RevisionDigest.clientRevision(parent: nil, body: fleece, isDeleted: false).description
                == "1-70b107816e59611e5911d7aae17e25f1f6a1efba")
    }
}
