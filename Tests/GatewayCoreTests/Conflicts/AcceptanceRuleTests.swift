import DocumentValues
import Testing

@testable import GatewayCore

/// Which revisions may join a tree, where conflicts are allowed and where not.
@Suite struct AcceptanceRuleTests {
    /// 1-a with the leaves 2-b, 2-c (current) and the tombstone 3-d.
    private static let branched: RevisionTree = {
        var tree = RevisionTree()
        for (revision, ancestors, isDeleted) in [
            ("1-a", [], false), ("2-b", ["1-a"], false), ("2-c", ["1-a"], false), ("3-d", ["2-e", "1-a"], true),
        ] {
            tree.insert(
                RevisionID(revision)!, history: RevisionHistory(ancestors.map { RevisionID($0)! }),
                isDeleted: isDeleted, limit: 50)
        }
        return tree
    }()

    /// The same tree with all leaves deleted; 4-f is current.
    private static let deleted: RevisionTree = {
        var tree = branched
        for (revision, parent) in [("3-x", "2-b"), ("3-y", "2-c"), ("4-f", "3-g")] {
            tree.insert(
                RevisionID(revision)!, history: RevisionHistory([RevisionID(parent)!]), isDeleted: true, limit: 50)
        }
        return tree
    }()

    private struct Pushed {
        let tree: RevisionTree
        let revision: String
        var ancestors: [String] = []
        var isDeleted = false
        let alone: AcceptanceRule.Verdict
        let allowed: AcceptanceRule.Verdict
    }

    private static let pushed: [Pushed] = [
        Pushed(tree: RevisionTree(), revision: "3-z", ancestors: ["2-y"], alone: .accepted, allowed: .accepted),
        Pushed(tree: branched, revision: "2-b", ancestors: ["1-a"], alone: .known, allowed: .known),
        Pushed(
            tree: branched, revision: "3-d", ancestors: ["2-e"], isDeleted: true, alone: .known, allowed: .known),
        // A live revision has the id of the deletion.
        Pushed(
            tree: branched, revision: "2-b", ancestors: ["1-a"], isDeleted: true, alone: .conflict, allowed: .conflict),
        Pushed(tree: branched, revision: "1-a", alone: .known, allowed: .known),
        Pushed(tree: branched, revision: "3-z", ancestors: ["2-c", "1-a"], alone: .accepted, allowed: .accepted),
        Pushed(tree: branched, revision: "3-z", ancestors: ["2-b", "1-a"], alone: .conflict, allowed: .accepted),
        Pushed(tree: branched, revision: "2-z", ancestors: ["1-a"], alone: .conflict, allowed: .accepted),
        Pushed(tree: branched, revision: "1-z", alone: .conflict, allowed: .accepted),
        Pushed(tree: branched, revision: "4-z", ancestors: ["3-d"], alone: .conflict, allowed: .accepted),
        Pushed(
            tree: branched, revision: "3-z", ancestors: ["2-b"], isDeleted: true, alone: .accepted, allowed: .accepted),
        Pushed(
            tree: branched, revision: "2-z", ancestors: ["1-a"], isDeleted: true, alone: .conflict, allowed: .accepted),
        Pushed(tree: deleted, revision: "1-z", alone: .accepted, allowed: .accepted),
        Pushed(tree: deleted, revision: "1-z", isDeleted: true, alone: .conflict, allowed: .accepted),
        Pushed(tree: deleted, revision: "3-z", ancestors: ["2-b"], alone: .conflict, allowed: .accepted),
    ]

    @Test(arguments: pushed.indices)
    func revisionsWithHistories(index: Int) {
        let row = Self.pushed[index]
        for (allowsConflicts, expected) in [(false, row.alone), (true, row.allowed)] {
            let verdict = AcceptanceRule.verdict(
                revision: RevisionID(row.revision)!,
                history: RevisionHistory(row.ancestors.map { RevisionID($0)! }), isDeleted: row.isDeleted,
                tree: row.tree, allowsConflicts: allowsConflicts)
            #expect(verdict == expected, "\(row.revision) after \(row.ancestors), conflicts: \(allowsConflicts)")
        }
    }

    private struct Edited {
        let tree: RevisionTree
        let stated: String?
        var isDeleted = false
        let alone: String
        let allowed: String
    }

    private static let edited: [Edited] = [
        Edited(tree: RevisionTree(), stated: nil, alone: "-", allowed: "-"),
        Edited(tree: RevisionTree(), stated: "1-a", alone: "409", allowed: "409"),
        Edited(tree: branched, stated: nil, alone: "409", allowed: "409"),
        Edited(tree: branched, stated: "2-c", alone: "2-c", allowed: "2-c"),
        Edited(tree: branched, stated: "1-a", alone: "409", allowed: "409"),
        Edited(tree: branched, stated: "9-z", alone: "409", allowed: "409"),
        Edited(tree: branched, stated: "2-b", alone: "409", allowed: "2-b"),
        Edited(tree: branched, stated: "2-b", isDeleted: true, alone: "2-b", allowed: "2-b"),
        Edited(tree: branched, stated: "3-d", alone: "409", allowed: "3-d"),
        Edited(tree: branched, stated: "3-d", isDeleted: true, alone: "409", allowed: "3-d"),
        Edited(tree: deleted, stated: nil, alone: "4-f", allowed: "4-f"),
        Edited(tree: deleted, stated: "3-x", alone: "3-x", allowed: "3-x"),
    ]

    @Test(arguments: edited.indices)
    func ordinaryEdits(index: Int) {
        let row = Self.edited[index]
        for (allowsConflicts, expected) in [(false, row.alone), (true, row.allowed)] {
            var answer: String
            do throws(GatewayError) {
                let parent = try AcceptanceRule.parent(
                    naming: row.stated.flatMap { RevisionID($0) }, isDeleted: row.isDeleted, tree: row.tree,
                    allowsConflicts: allowsConflicts)
                answer = parent?.description ?? "-"
            } catch {
                answer = "\(error.status)"
            }
            #expect(answer == expected, "\(row.stated ?? "no revision"), conflicts: \(allowsConflicts)")
        }
    }
}
