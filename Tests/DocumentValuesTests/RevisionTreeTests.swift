import DocumentValues
import Testing

/// The winner rule and what is forgotten of a tree.
@Suite struct RevisionTreeTests {
    private func tree(_ lines: [(revision: String, ancestors: [String], isDeleted: Bool)]) -> RevisionTree {
        var tree = RevisionTree()
        for line in lines {
            tree.insert(
                RevisionID(line.revision)!, history: RevisionHistory(line.ancestors.map { RevisionID($0)! }),
                isDeleted: line.isDeleted, limit: 50)
        }
        return tree
    }

    private static let winners: [(lines: [(String, [String], Bool)], winner: String)] = [
        ([("1-a", [], false)], "1-a"),
        ([("1-a", [], false), ("2-b", ["1-a"], false)], "2-b"),
        // The longer branch, then the higher digest.
        ([("1-a", [], false), ("2-z", ["1-a"], false), ("3-a", ["2-b", "1-a"], false)], "3-a"),
        ([("1-a", [], false), ("2-b", ["1-a"], false), ("2-c", ["1-a"], false)], "2-c"),
        // A live leaf before any tombstone, however long its branch is.
        ([("1-a", [], false), ("5-d", ["4-d", "3-d", "2-d", "1-a"], true), ("2-b", ["1-a"], false)], "2-b"),
        // When all are deleted the same order holds among tombstones.
        ([("1-a", [], false), ("2-b", ["1-a"], true), ("3-c", ["2-c", "1-a"], true)], "3-c"),
        // The generation is a number.
        ([("9-z", [], false), ("10-a", ["9-a"], false)], "10-a"),
    ]

    @Test(arguments: winners.indices)
    func winner(index: Int) {
        let (lines, winner) = Self.winners[index]
        #expect(tree(lines).winner?.revision.description == winner)
    }

    @Test func laterRevisionsNeedRoom() {
        let (limit, step) = (RevisionLimits.generation, RevisionLimits.generationStep)
        for (highest, last) in [
            (1, limit), (limit - step, limit), (limit, limit + step), (.max - step, .max - 1), (.max, .max - 1),
        ] as [(UInt32, UInt32)] {
            let tree = tree([("\(highest)-a", [], false)])
            #expect(tree.lastGenerationWithRoom == last)
            #expect(tree.leavesRoom(after: RevisionID(generation: last, digest: "b")))
            #expect(!tree.leavesRoom(after: RevisionID(generation: last + 1, digest: "b")))
        }
        let version = Version("1@AAAAAAAAAAAAAAAAAAAAAQ").map(RevisionID.version)
        #expect(version.map { RevisionTree().leavesRoom(after: $0) } == true)
    }

    @Test func whatIsInsertedTwiceIsThereOnce() {
        let line = ("2-b", ["1-a"], false)
        #expect(tree([line, line]).nodes.count == 2)
    }

    @Test func unknownAncestorsComeWithTheRevision() {
        let tree = tree([("3-c", ["2-b", "1-a"], false)])
        #expect(tree.nodes.map(\.revision.description) == ["1-a", "2-b", "3-c"])
        #expect(tree.history(of: RevisionID("3-c")!).ancestors.map(\.description) == ["2-b", "1-a"])
    }

    /// Twenty generations in a tree of three, and a side branch from the first.
    private func long(withDeletedSide isDeleted: Bool) -> RevisionTree {
        var tree = RevisionTree()
        tree.insert(RevisionID("1-a")!, history: RevisionHistory(), isDeleted: false, limit: 3)
        tree.insert(
            RevisionID("2-side")!, history: RevisionHistory([RevisionID("1-a")!]), isDeleted: isDeleted, limit: 3)
        for generation in 2...20 {
            let parent = RevisionID(generation: UInt32(generation - 1), digest: generation == 2 ? "a" : "m")
            tree.insert(
                RevisionID(generation: UInt32(generation), digest: "m"), history: RevisionHistory([parent]),
                isDeleted: false, limit: 3)
        }
        return tree
    }

    @Test func pruningKeepsTheNewestOfEveryBranch() {
        let tree = long(withDeletedSide: false)
        let texts = Set(tree.nodes.map(\.revision.description))
        #expect(texts == ["18-m", "19-m", "20-m", "1-a", "2-side"])
        #expect(tree.history(of: RevisionID("20-m")!).ancestors.map(\.description) == ["19-m", "18-m"])
        #expect(tree.winner?.revision.description == "20-m")
    }

    @Test func aBranchThatWasDeletedLongAgoIsForgotten() {
        let tree = long(withDeletedSide: true)
        #expect(tree.nodes.map(\.revision.description) == ["18-m", "19-m", "20-m"])
        #expect(tree.isLine)
    }

    @Test func theStoredFormIsTheSameTree() throws {
        let tree = tree([
            ("1-a", [], false), ("2-b", ["1-a"], true), ("3-c", ["2-c", "1-a"], false), ("1-root", [], true),
        ])
        #expect(RevisionTree(text: tree.text) == tree)
        #expect(RevisionTree(text: "1-a 2-b/7") == nil && RevisionTree(text: "nonsense") == nil)
    }
}
