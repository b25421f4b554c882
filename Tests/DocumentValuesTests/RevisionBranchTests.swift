import DocumentValues
import Testing

/// What is asked of a tree with branches.
@Suite struct RevisionBranchTests {
    /// 1-a, 2-b, 3-c, and beside them the deletion 2-x of 1-a.
    private static let tree = tree([("3-c", "2-b,1-a", false), ("2-x", "1-a", true)])

    private static func tree(
        _ lines: [(revision: String, history: String, isDeleted: Bool)], limit: Int = 50
    ) -> RevisionTree {
        var tree = RevisionTree()
        for line in lines {
            tree.insert(
                RevisionID(line.revision)!, history: RevisionHistory(parsing: line.history)!, isDeleted: line.isDeleted,
                limit: limit)
        }
        return tree
    }

    private static func texts(_ revisions: [RevisionID]) -> [String] { revisions.map(\.description) }
    private static func texts(_ nodes: [RevisionTree.Node]) -> [String] { texts(nodes.map(\.revision)) }

    @Test func leavesHaveNoChildren() {
        let tree = Self.tree
        #expect(Self.texts(tree.leaves) == ["3-c", "2-x"] && !tree.isLine)
        for (text, isLeaf, isLive) in [
            ("3-c", true, true), ("2-x", true, false), ("2-b", false, false), ("1-a", false, false),
            ("9-z", false, false),
        ] {
            let revision = RevisionID(text)!
            #expect(tree.isLeaf(revision) == isLeaf && tree.isLiveLeaf(revision) == isLive, "\(text)")
        }
        #expect(tree.isDeleted(RevisionID("2-x")!) && !tree.isDeleted(RevisionID("3-c")!))
        #expect(!tree.isDeleted(RevisionID("9-z")!) && !tree.contains(RevisionID("9-z")!))
        #expect(tree.winner?.revision.description == "3-c")
    }

    @Test func eachBranchHasItsHistory() {
        #expect(Self.tree.history(of: RevisionID("3-c")!).description == "2-b,1-a")
        #expect(Self.tree.history(of: RevisionID("2-x")!).description == "1-a")
        #expect(Self.tree.history(of: RevisionID("9-z")!).ancestors.isEmpty)
        let ancestry = Self.tree.ancestry(of: RevisionID("2-x")!)
        #expect(Self.texts(ancestry.revisions) == ["2-x", "1-a"] && !ancestry.contains(RevisionID("2-b")!))
    }

    @Test(arguments: [
        ("2-b,1-a", "2-b"), ("5-e,4-d,2-b,1-a", "2-b"), ("4-z,2-x", "2-x"), ("9-z,8-y", nil), ("", nil),
        ("8-y,1-a", "1-a"),
    ])
    func theFirstKnownAncestorIsCommon(history: String, common: String?) {
        let found = Self.tree.commonAncestor(with: RevisionHistory(parsing: history)!)
        #expect(found?.description == common)
        #expect(RevisionTree().commonAncestor(with: RevisionHistory(parsing: history)!) == nil)
    }

    @Test(
        arguments: [
            (["4-d"], ["4-d"], ["2-x", "3-c"]), (["3-z"], ["3-z"], ["2-b", "2-x"]), (["1-q"], ["1-q"], []),
            (["4-d"], ["4-d", "3-c"], ["2-x"]), (["4-d", "3-z"], [], ["2-b", "2-x", "3-c"]),
            // Who is that far ahead comes from nothing that is here.
            (["102-z"], [], ["2-x", "3-c"]), (["103-z"], [], ["3-c"]), (["104-z"], [], []), (["x", ""], [], []),
            ([], [], []),
        ] as [([String], [String], [String])])
    func whatTheSenderMayDescendFrom(missing: [String], asked: [String], possible: [String]) {
        #expect(Self.texts(Self.tree.possibleAncestors(of: missing, asked: asked)) == possible)
    }

    @Test(
        arguments: [
            (["3-c"], []), (["4-d"], ["4-d"]), (["x"], ["x"]), (["1-a", "9-z", "2-x", "", "1-b"], ["9-z", "", "1-b"]),
            ([], []),
        ] as [([String], [String])])
    func whatIsNotHereIsMissing(asked: [String], missing: [String]) {
        #expect(Self.tree.missing(of: asked) == missing)
    }

    @Test(arguments: [
        "1-a", "1-a!", "1-a 2-b", "1-a 2-b!", "1-a 2-b 2-c/0!", "1-a 1-b/-1", "1-a 2-b 3-c 2-x/0! 3-y",
    ])
    func theStoredFormIsReadAndWritten(text: String) throws {
        let tree = try #require(RevisionTree(text: text))
        #expect(tree.text == text && RevisionTree(text: tree.text) == tree)
    }

    @Test(arguments: ["x", "1-", "1-a/0", "1-a 2-b/1", "1-a 2-b/x", "1-a x", "!", "/", "1-a !"])
    func otherTextsAreNoTree(text: String) { #expect(RevisionTree(text: text) == nil) }

    @Test func anEmptyTreeHasNothing() throws {
        let tree = try #require(RevisionTree(text: ""))
        #expect(tree == RevisionTree() && tree.winner == nil && tree.leaves.isEmpty && tree.text == "" && tree.isLine)
        #expect(tree.possibleAncestors(of: ["2-a"], asked: []).isEmpty && tree.missing(of: ["2-a"]) == ["2-a"])
    }

    /// What is deeper than the limit is not even taken in.
    @Test(arguments: [1, 2, 3, 10]) func aLongHistoryIsCutToTheLimit(limit: Int) {
        let history = (1..<10).reversed().map { "\($0)-h" }.joined(separator: ",")
        let tree = Self.tree([("10-h", history, false)], limit: limit)
        #expect(Self.texts(tree.nodes) == (11 - limit...10).map { "\($0)-h" })
        #expect(tree.isLine && tree.winner?.revision.description == "10-h")
    }

    /// A branch that comes from what was forgotten begins with itself.
    @Test func aBranchOfWhatWasForgottenHasNoParent() {
        let tree = Self.tree(
            [("1-a", "", false), ("2-a", "1-a", false), ("3-a", "2-a", false), ("3-b", "2-b,1-a", false)],
            limit: 2)
        #expect(Set(Self.texts(tree.nodes)) == ["2-a", "3-a", "2-b", "3-b"])
        #expect(tree.history(of: RevisionID("2-b")!).ancestors.isEmpty)
        #expect(Self.texts(tree.leaves).sorted() == ["3-a", "3-b"])
    }

    @Test func whatIsThereAlreadyChangesNothing() {
        var tree = Self.tree
        tree.insert(RevisionID("3-c")!, history: RevisionHistory(), isDeleted: true, limit: 50)
        tree.insert(RevisionID("1-a")!, history: RevisionHistory(parsing: "9-z")!, isDeleted: true, limit: 50)
        #expect(tree == Self.tree)
    }

    @Test func branchesOfOneDocumentAreMerged() {
        var tree = Self.tree
        tree.insert(RevisionID("4-d")!, history: RevisionHistory(parsing: "3-c,2-b")!, isDeleted: false, limit: 50)
        tree.insert(RevisionID("3-y")!, history: RevisionHistory(parsing: "2-x")!, isDeleted: true, limit: 50)
        #expect(Self.texts(tree.leaves).sorted() == ["3-y", "4-d"] && tree.nodes.count == 6)
        #expect(tree.history(of: RevisionID("3-y")!).description == "2-x,1-a")
        tree.insert(RevisionID("5-e")!, history: RevisionHistory(parsing: "4-d")!, isDeleted: true, limit: 50)
        #expect(tree.winner?.revision.description == "5-e", "of deletions the one that is further")
    }
}
