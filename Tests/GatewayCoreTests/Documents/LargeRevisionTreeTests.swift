import DocumentValues
import Testing

@testable import GatewayCore

/// The largest requests on the largest trees. Work that grows with the product of both would take many minutes here;
/// linear work takes a second or two.
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
        return try RevisionTree(stored: text.joined(separator: " "))
    }

    @Test func possibleAncestorsOfVeryManyRevisions() throws {
        let tree = try Self.branched()
        #expect(tree.nodes.count == 20_000)
        let asked = (2..<(Self.asked + 2)).map { "\($0)-abc" }
        #expect(tree.missing(of: asked).count == Self.asked)
        // Each leaf may be an ancestor, and so may the common ancestors of a leaf and a revision of its generation.
        #expect(tree.possibleAncestors(of: asked, asked: asked).count == 2 * GatewayLimits.liveLeaves)
    }

    private static let questions: [(asked: [String], possible: [String])] = [
        (["1-z"], []), (["2-z"], ["1-a"]), (["3-z"], ["2-b", "2-c"]), (["102-z"], ["2-b", "2-c"]), (["103-z"], []),
        (["3-z", "2-b"], ["2-c"]), (["2-z", "3-z"], ["1-a", "2-b", "2-c"]), (["2-z", "200-z"], ["1-a"]), (["x"], []),
    ]

    @Test(arguments: questions.indices)
    func possibleAncestors(index: Int) throws {
        let tree = try RevisionTree(stored: "1-a 2-b 2-c/0")
        let (asked, possible) = Self.questions[index]
        let answer = tree.possibleAncestors(of: tree.missing(of: asked), asked: asked)
        #expect(answer.map(\.description) == possible)
    }

    @Test func aPushThatNamesVeryManyAncestors() throws {
        var tree = try Self.branched()
        let newest = UInt32(GatewayLimits.history + 1_000)
        let unknown = (0..<GatewayLimits.history).map {
            RevisionID(generation: newest - 1 - UInt32($0), digest: "abc")
        }
        let history = RevisionHistory(unknown)
        #expect(tree.commonAncestor(with: history) == nil)
        let known = RevisionHistory(unknown + [RevisionID("100-0x")!])
        #expect(tree.commonAncestor(with: known)?.description == "100-0x")
        let revision = RevisionID(generation: newest, digest: "abc")
        tree.insert(revision, history: known, isDeleted: false, limit: GatewayLimits.revisionsWithConflicts)
        #expect(tree.leaves.count == GatewayLimits.liveLeaves, "it replaced the leaf that it names")
        #expect(tree.nodes.count == 20_000)
        #expect(tree.history(of: revision).ancestors == Array(unknown.prefix(99)))
    }

    /// With any number of revisions between: their origin is no leaf any more.
    @Test(arguments: [1, 2, 3, 4, 5, 50])
    func whatIsCutOffIsNoBranch(unknown: Int) {
        var tree = RevisionTree()
        let first = RevisionID("1-a")!
        tree.insert(first, history: RevisionHistory(), isDeleted: false, limit: 3)
        let ancestors = (0..<unknown).map { RevisionID(generation: UInt32(unknown - $0) + 1, digest: "b") }
        let revision = RevisionID(generation: UInt32(unknown) + 2, digest: "b")
        tree.insert(revision, history: RevisionHistory(ancestors + [first]), isDeleted: false, limit: 3)
        #expect(tree.isLine && tree.nodes.count == 3)
        #expect(tree.winner?.revision == revision)
        #expect(tree.history(of: revision).ancestors == Array((ancestors + [first]).prefix(2)))
    }

    @Test func aHistoryThatNoClientHasIsRefused() async throws {
        try await TestDatabase.run { test in
            let count = GatewayLimits.history + 1
            let refusal = GatewayError(413, reason: "The revision names 100001 ancestors; it may name 100000")
            let ids: [JSONValue] = (0...count).map { .string("\($0)") }
            let body: JSONValue = ["_revisions": ["start": .int(count + 7), "ids": .array(ids)]]
            await #expect(throws: refusal) {
                _ = try await test.write(DocumentWrite(id: "a", body: body.bytes, edit: .existingInBody))
            }
            // If there are more, they are counted before they are read, even if they are invalid.
            let many = String(repeating: "0,", count: 150_000) + "0"
            await #expect(throws: GatewayError(413, reason: "The revision names 150000 ancestors; it may name 100000"))
            {
                let body = #"{"_revisions":{"start":9,"ids":[\#(many)]}}"#
                _ = try await test.write(DocumentWrite(id: "a", body: Array(body.utf8), edit: .existingInBody))
            }
            let ancestors = (0..<count).map { RevisionID(generation: UInt32(count - $0), digest: "b") }
            @Sendable func push(_ ancestors: ArraySlice<RevisionID>) async throws {
                let history = RevisionHistory(Array(ancestors))
                let revision = RevisionID(generation: UInt32(count) + 1, digest: "b")
                let write = DocumentWrite(id: "a", body: Array("{}".utf8), edit: .existing(revision, history))
                _ = try await test.write(write)
            }
            await #expect(throws: refusal) { try await push(ancestors[...]) }
            #expect(try await test.body("a") == "404")
            try await push(ancestors.dropLast())
            #expect(try await test.details("a").revision.history.ancestors.count == GatewayLimits.revisions - 1)
        }
    }

    /// Otherwise a tree full of them would forget a revision, and its id could be used for another body.
    @Test(arguments: [("2-bb", ["2-aa"]), ("2-bb", ["1000-aa"]), ("9-bb", ["3-aa", "5-aa"])])
    func ancestorsHaveLowerGenerations(revision: String, ancestors: [String]) async throws {
        try await TestDatabase.run { test in
            let error = await #expect(throws: GatewayError.self) { try await test.push("a", revision, ancestors) }
            #expect(error?.status == 400 && error?.reason.contains("whose generation is not lower") == true)
            // They may leave some out.
            _ = try await test.push("a", "9-bb", ["5-aa", "3-aa"])
        }
    }
}
