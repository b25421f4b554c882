import DocumentValues
import Testing

/// The ancestors of a revision, as they are written and cut.
@Suite struct RevisionHistoryTests {
    private static let version = Version("18e9f7cc05120000@SHGXRoPiZIaxqzGQ/kAZ+A")!

    @Test(
        arguments: [
            ("3-c,2-b,1-a", ["3-c", "2-b", "1-a"]), (" 3-c ,  2-b", ["3-c", "2-b"]), ("3-c,,2-b,", ["3-c", "2-b"]),
            ("", []),
            (",", []), ("3-c,\t2-b", nil), ("3-c 2-b", nil), ("c", nil), ("3-c,1@x", nil),
            ("3-c, ", nil),
        ] as [(String, [String]?)])
    func isReadFromAList(text: String, ancestors: [String]?) {
        #expect(RevisionHistory(parsing: text)?.ancestors.map(\.description) == ancestors)
    }

    /// Edits of a day without a network are more than a history has.
    @Test(arguments: [
        ("9-i,8-h", "3-c", true), ("9-i,8-h", "7-g", true), ("9-i,8-h", "8-x", false), ("9-i,8-h", "9-i", false),
        ("9-i", "3-c", false), ("", "3-c", false), ("4-d,3-c,2-b,1-a", "1-z", false),
    ])
    func isCutWhereItEndsBeforeTheBase(history: String, base: String, isCut: Bool) throws {
        let history = try #require(RevisionHistory(parsing: history))
        let revision = try #require(RevisionID(base))
        #expect(history.isCut(before: revision) == isCut)
        #expect(!history.isCut(before: .version(Self.version)), "nothing is cut off of versions")
        #expect(!RevisionHistory([.version(Self.version), .version(Self.version)]).isCut(before: RevisionID("1-a")!))
    }

    @Test func aChildHasItsParentFirst() throws {
        let history = try #require(RevisionHistory(parsing: "3-c,2-b,1-a"))
        let next = try #require(RevisionID("4-d"))
        for (limit, text) in [(10, "4-d,3-c,2-b,1-a"), (4, "4-d,3-c,2-b,1-a"), (2, "4-d,3-c"), (1, "4-d"), (0, "")] {
            #expect(history.appending(next, limit: limit).description == text)
        }
        #expect(RevisionHistory().parent == nil && RevisionHistory().appending(next, limit: 5).parent == next)
    }

    @Test(
        arguments: [
            (nil, 9, "4-d,3-c,2-b"), ("3-c", 9, "4-d,3-c"), ("3-c", 1, "4-d"), ("2-b", 9, "4-d,3-c,2-b"),
            ("9-z", 9, "4-d,3-c,2-b"), ("4-d", 0, ""), ("4-d", 9, "4-d"),
        ] as [(String?, Int, String)])
    func whatIsSentEndsWithWhatTheOtherHas(ancestor: String?, limit: Int, text: String) throws {
        let history = try #require(RevisionHistory(parsing: "4-d,3-c,2-b"))
        let ancestor = try ancestor.map { try #require(RevisionID($0)) }
        #expect(history.prefix(through: ancestor, limit: limit).description == text)
    }

    @Test func theWinnerComesFirst() {
        let revisions = ["2-a", "10-a", "2-b", "1-z"].map { RevisionID($0)! } + [RevisionID.version(Self.version)]
        #expect(
            revisions.shuffled().winnersFirst.map(\.description)
                == [Self.version.description, "10-a", "2-b", "2-a", "1-z"])
        #expect([RevisionID]().winnersFirst.isEmpty)
    }

    @Test func aListingIsOfTreesAlone() {
        let revisions = [RevisionID.version(Self.version)] + ["3-c", "2-b"].map { RevisionID($0)! }
        #expect(RevisionListing(revisions)?.start == 3 && RevisionListing(revisions)?.digests == ["c", "b"])
        #expect(RevisionListing([RevisionID.version(Self.version)]) == nil)
    }

    @Test func aNewerRevisionIsNearer() throws {
        let ancestry = Ancestry(
            revision: try #require(RevisionID("3-c")), history: try #require(RevisionHistory(parsing: "2-b,1-a")))
        let revisions = ancestry.revisions
        for (index, revision) in revisions.enumerated() {
            for (otherIndex, other) in revisions.enumerated() {
                #expect(ancestry.isNewer(revision, than: other) == (index < otherIndex))
            }
        }
        #expect(ancestry.bases(of: RevisionID("9-z")!, from: nil, limit: 0).isEmpty)
    }
}
