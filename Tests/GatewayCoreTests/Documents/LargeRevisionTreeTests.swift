import DocumentValues
import Testing

@testable import GatewayCore

/// What one request may ask of a tree as large as there are. Work that grows with the product of both takes many minutes
/// here; what is left takes a second or two.
@Suite(.timeLimit(.minutes(1))) struct LargeRevisionTreeTests {
    private static let asked = 100_000

    /// As many leaves as a document may have, each with a history of its own.
    private static func branched() throws -> RevisionTree {
        var text: [String] = []
        for leaf in 0..<GatewayLimits.liveLeaves {
            for generation in 1...GatewayLimits.revisionsWithConflicts {
                text.append("\(generation)-\(leaf)x\(generation == 1 ? "/-1" : "")")
            }
        }
        return try RevisionTree(text: text.joined(separator: " "))
    }

    @Test func possibleAncestorsOfVeryManyRevisions() throws {
        let tree = try Self.branched()
        #expect(tree.nodes.count == 20_000)
        let asked = (2..<(Self.asked + 2)).map { "\($0)-abc" }
        #expect(tree.missing(of: asked).count == Self.asked)
        // Each leaf may be an ancestor, and so may what it and a revision of its generation come from.
        #expect(tree.possibleAncestors(of: asked, asked: asked).count == 2 * GatewayLimits.liveLeaves)
    }

    private static let questions: [(asked: [String], possible: [String])] = [
        (["1-z"], []), (["2-z"], ["1-a"]), (["3-z"], ["2-b", "2-c"]), (["102-z"], ["2-b", "2-c"]), (["103-z"], []),
        (["3-z", "2-b"], ["2-c"]), (["2-z", "3-z"], ["1-a", "2-b", "2-c"]), (["2-z", "200-z"], ["1-a"]), (["x"], []),
    ]

    @Test(arguments: questions.indices)
    func possibleAncestors(index: Int) throws {
        let tree = try RevisionTree(text: "1-a 2-b 2-c/0")
        let (asked, possible) = Self.questions[index]
        let answer = tree.possibleAncestors(of: tree.missing(of: asked), asked: asked)
        #expect(answer.map(\.description) == possible)
    }
}
