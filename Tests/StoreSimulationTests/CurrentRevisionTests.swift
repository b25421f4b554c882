import DocumentValues
import Testing

/// What the simulation takes for a document's current revision after a push.
@Suite struct CurrentRevisionTests {
    private func revision(_ text: String) throws -> RevisionID { try #require(RevisionID(text)) }

    /// A branch that was deleted at its third revision, and one that begins anywhere.
    private func tree(_ revisions: (String, parent: String?, isDeleted: Bool)...) throws -> RevisionTree {
        var tree = RevisionTree()
        let old: [(String, parent: String?, isDeleted: Bool)] = [
            ("1-a0", nil, false), ("2-a1", "1-a0", false), ("3-a2", "2-a1", true),
        ]
        for (id, parent, isDeleted) in old + revisions {
            let history = RevisionHistory(try parent.map { [try revision($0)] } ?? [])
            tree.insert(try revision(id), history: history, isDeleted: isDeleted, limit: 20)
        }
        return tree
    }

    @Test func aDocumentThatIsMadeAgainIsCurrent() throws {
        let tree = try tree(("1-b0", nil, false))
        #expect(tree.winner?.revision == RevisionID("1-b0"))
        #expect(tree.isCurrent(try revision("1-b0"), after: try revision("1-b0")))
        #expect(!tree.isCurrent(try revision("3-a2"), after: try revision("1-b0")))
    }

    @Test func itsTombstoneLeavesTheOlderOne() throws {
        let tree = try tree(("1-b0", nil, false), ("2-b1", "1-b0", true))
        #expect(tree.winner?.revision == RevisionID("3-a2"))
        #expect(tree.isCurrent(try revision("3-a2"), after: try revision("2-b1")))
        #expect(!tree.isCurrent(try revision("2-a1"), after: try revision("2-b1")), "it is no leaf")
    }

    @Test func aTombstoneThatWinsIsCurrent() throws {
        let tree = try tree(("4-b3", nil, true))
        #expect(tree.winner?.revision == RevisionID("4-b3"))
        #expect(!tree.isCurrent(try revision("3-a2"), after: try revision("4-b3")))
    }
}
