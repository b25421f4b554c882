import DocumentValues
import Testing

@Suite struct AncestryTests {
    private func ancestry(_ text: String) -> Ancestry {
        let history = RevisionHistory(parsing: text)!
        return Ancestry(
            revision: history.parent!, history: RevisionHistory(Array(history.ancestors.dropFirst())))
    }

    private func text(_ revisions: [RevisionID]) -> String { revisions.map(\.description).joined(separator: ",") }

    @Test func whoComesFromWhom() {
        let ancestry = ancestry("3-c,2-b,1-a")
        let (own, first, other) = (RevisionID("3-c")!, RevisionID("1-a")!, RevisionID("2-x")!)
        #expect(ancestry.contains(own) && ancestry.contains(first) && !ancestry.contains(other))
        #expect(!ancestry.descends(from: own) && ancestry.descends(from: first))
        #expect(ancestry.steps(backTo: own) == 0 && ancestry.steps(backTo: first) == 2)
        #expect(ancestry.steps(backTo: other) == nil)
        #expect(ancestry.isNewer(own, than: first) && !ancestry.isNewer(first, than: own))
        #expect(!ancestry.isNewer(own, than: own) && !ancestry.isNewer(own, than: other))
        #expect(ancestry.history(of: own)?.description == "2-b,1-a")
        #expect(ancestry.history(of: first)?.ancestors == [] && ancestry.history(of: other) == nil)
    }

    /// What the other side never had is no base; what cannot be an ancestor is none either.
    @Test(arguments: [
        ("5-e", nil, 10, "4-d,3-c,2-b,1-a"), ("5-e", "2-b", 10, "2-b,1-a"), ("3-x", nil, 10, "2-b,1-a"),
        ("5-e", "9-unknown", 2, "4-d,3-c"), ("1-x", nil, 10, ""),
    ])
    func bases(newer: String, shared: String?, limit: Int, bases: String) {
        let found = ancestry("4-d,3-c,2-b,1-a")
            .bases(of: RevisionID(newer)!, from: shared.map { RevisionID($0)! }, limit: limit)
        #expect(text(found) == bases)
    }

    @Test(arguments: [
        ("5-e,4-d,3-c", "5-e,4-d,3-c,2-b,1-a"), ("5-e", "5-e"), ("", ""), ("5-y,4-y", "5-y,4-y,3-z"),
        ("2-b", "2-b,1-a"),
    ])
    func aHistoryIsCompletedFromTheFirstKnownRevision(history: String, completed: String) {
        let known = [ancestry("3-c,2-b,1-a"), ancestry("4-y,3-z")]
        #expect(RevisionHistory(parsing: history)?.completed(by: known).description == completed)
    }
}

@Suite struct RevisionListingTests {
    @Test func thereAndBack() throws {
        let revisions = ["7-c", "6-b", "5-a"].map { RevisionID($0)! }
        let listing = try #require(RevisionListing(revisions))
        #expect(listing.start == 7 && listing.digests == ["c", "b", "a"] && listing.revisions == revisions)
        #expect(RevisionListing([RevisionID]()) == nil)
    }

    /// The digests with a blank between them.
    @Test(
        arguments: [
            (0, "a"), (1, "a b"), (3, ""), (3, "a "), (3, "a,b"), (4_294_967_296, "a"), (-1, "a"),
        ] as [(Int64, String)])
    func otherListingsAreNone(start: Int64, digests: String) {
        let digests = digests.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(RevisionListing(start: start, digests: digests) == nil)
    }

    @Test func nothingIsNoListing() { #expect(RevisionListing(start: 3, digests: []) == nil) }

    @Test func theHighestGeneration() {
        #expect(
            RevisionListing(start: 4_294_967_295, digests: ["a", "b"])?.revisions.map(\.description)
                == ["4294967295-a", "4294967294-b"])
    }
}
