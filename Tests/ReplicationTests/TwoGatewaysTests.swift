import DocumentStore
import Foundation
import SeededRandom
import SyncModels
import Testing

@testable import Replication

/// One laptop that exchanges the same documents with two gateways which know nothing of each other.
@Suite struct TwoGatewaysTests {
    private struct Team {
        let laptop: Laptop
        let gateways: [LoopbackGateway]

        init() async throws {
            laptop = try Laptop()
            gateways = [try await LoopbackGateway.start(), try await LoopbackGateway.start()]
        }

        /// The messages on the wire, and the error.
        @discardableResult
        func sync(_ index: Int) async throws -> (pushed: Int, pulled: Int) {
            let log = ReplicatorLog(try laptop.configuration(gateways[index]))
            let error = try await log.runToEnd()
            log.close()
            #expect(error == nil)
            let failures = log.documents.compactMap { $0.document.error as? ReplicationError }
            #expect(failures.allSatisfy { $0.code == 10_409 }, "real conflicts are reported, nothing else")
            let pushed = log.documents.filter(\.isPush).count
            return (pushed, log.documents.count - pushed)
        }

        /// Until nothing is left to do; how often that took.
        func settle() async throws -> Int {
            for round in 1...Self.timeout {
                var moved = 0
                for index in gateways.indices {
                    let (pushed, pulled) = try await sync(index)
                    moved += pushed + pulled
                }
                if moved == 0 { return round }
            }
            return .max
        }

        func isEverywhere(_ id: String, _ body: String?) throws -> Bool {
            try laptop.json(id) == body
                && gateways.allSatisfy { gateway in
                    let isDeleted = gateway.revision(id)?.isDeleted ?? true
                    return (isDeleted ? nil : gateway.body(id)) == body
                }
        }

        func stop() async throws { for gateway in gateways { try await gateway.stop() } }

        private static let timeout = 8
    }

    /// Both gateways' users edit what the laptop brought to both; then the laptop's user does.
    @Test(.timeLimit(.minutes(1)), arguments: [[0, 1], [1, 0]])
    func whatOneGatewayWonTheOtherGetsToo(order: [Int]) async throws {
        let team = try await Team()
        try team.laptop.put("x", NorthDocument.body("first"))
        for index in order { try await team.sync(index) }
        team.gateways[0].put("x", NorthDocument.body("one"))
        team.gateways[1].put("x", NorthDocument.body("two"))
        for index in order { try await team.sync(index) }
        #expect(try await team.settle() <= 3)
        let winner = try #require(try team.laptop.json("x"))
        #expect(try team.isEverywhere("x", winner))

        let document = try #require(try team.laptop.collection.document(id: "x")?.toMutable())
        document.setString("third", forKey: "v")
        try team.laptop.collection.save(document: document)
        for index in order { #expect(try await team.sync(index) == (1, 0)) }
        #expect(try team.isEverywhere("x", NorthDocument.body("third")))
        for index in order { #expect(try await team.sync(index) == (0, 0), "nobody hears of it again") }

        for (index, text) in [(order[1], "fourth"), (order[0], "fifth")] {
            team.gateways[index].put("x", NorthDocument.body(text))
            #expect(try await team.sync(index) == (0, 1), "nothing was edited here: no conflict")
            #expect(try await team.sync(1 - index) == (1, 0))
            #expect(try team.isEverywhere("x", NorthDocument.body(text)))
        }

        try team.laptop.collection.delete(document: #require(try team.laptop.collection.document(id: "x")))
        for index in order { try await team.sync(index) }
        #expect(try team.isEverywhere("x", nil))
        try await team.stop()
    }

    /// Starting over compares everything again and finds nothing to do.
    @Test(.timeLimit(.minutes(1))) func aResetFindsNothingNew() async throws {
        let team = try await Team()
        team.gateways[0].put("x", NorthDocument.body("one"))
        team.gateways[1].put("x", NorthDocument.body("two"))
        _ = try await team.settle()
        let winner = try team.laptop.json("x")
        for gateway in team.gateways {
            let log = ReplicatorLog(try team.laptop.configuration(gateway))
            log.replicator.start(reset: true)
            try await log.stopped()
            log.close()
            #expect(log.documents.isEmpty)
        }
        #expect(try team.isEverywhere("x", winner))
        try await team.stop()
    }

    /// Edits and deletions on all three, and syncs at any time: all agree when it is quiet.
    @Test(.timeLimit(.minutes(5)), arguments: 0..<40)
    func allAgreeAfterQuiet(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let team = try await Team()
        let ids = ["a", "b", "c"]
        for step in 0..<30 {
            let id = ids[random.number(below: ids.count)]
            let isDeletion = random.number(below: 5) == 0
            switch random.number(below: 7) {
            case 0, 1: try team.laptop.edit(id, "here \(step)", isDeletion: isDeletion)
            case 2, 3: team.gateways[step % 2].edit(id, "there \(step)", isDeletion: isDeletion)
            default: try await team.sync(random.number(below: 2))
            }
        }
        #expect(try await team.settle() < .max, "seed \(seed)")
        for id in ids {
            #expect(try team.isEverywhere(id, team.laptop.json(id)), "seed \(seed), document \(id)")
        }
        try await team.stop()
    }
}
