import DocumentStore
import DocumentValues
import Foundation
import SeededRandom
import SyncModels
import Testing

@testable import Replication

/// Two laptops that both exchange the same documents with the same two gateways, which know nothing of each other: what
/// one laptop carries over, the other must not carry back.
@Suite struct CrossedGatewaysTests {
    private struct Team {
        let laptops: [Laptop]
        let gateways: [LoopbackGateway]
        let resolver: Resolver

        init(_ resolver: Resolver = .default) async throws {
            laptops = [try Laptop(), try Laptop()]
            gateways = [try await LoopbackGateway.start(), try await LoopbackGateway.start()]
            self.resolver = resolver
        }

        private func log(_ laptop: Int, _ gateway: Int, isContinuous: Bool = false) throws -> ReplicatorLog {
            var configuration = try laptops[laptop].configuration(gateways[gateway]) { part in
                switch resolver {
                case .default: break
                case .remoteWins: part.conflictResolver = RemoteWins()
                case .merging: part.conflictResolver = Merging()
                }
            }
            configuration.continuous = isContinuous
            return ReplicatorLog(configuration)
        }

        /// All four pairs, continuously.
        func goOnline() async throws -> [ReplicatorLog] {
            let logs = try (0..<4).map { try log($0 / 2, $0 % 2, isContinuous: true) }
            for log in logs { log.replicator.start() }
            for log in logs { try await log.wait { log.activities.contains(.idle) } }
            return logs
        }

        /// How many documents went over the wire.
        @discardableResult
        func sync(_ laptop: Int, _ gateway: Int) async throws -> Int {
            let log = try log(laptop, gateway)
            let error = try await log.runToEnd()
            log.close()
            #expect(error == nil)
            let failures = log.documents.compactMap { $0.document.error as? ReplicationError }
            #expect(failures.allSatisfy { $0.code == 10_409 }, "real conflicts are reported, nothing else")
            return log.documents.count
        }

        /// All four pairs until nothing is left to do; how often that took.
        func settle(_ random: inout SeededGenerator) async throws -> Int {
            for round in 1...Self.timeout {
                var moved = 0
                for pair in (0..<4).shuffled(using: &random) { moved += try await sync(pair / 2, pair % 2) }
                if moved == 0 { return round }
            }
            return .max
        }

        /// What each of the four has of a document.
        func contents(_ id: String) throws -> [String?] {
            try laptops.map { try $0.json(id).map(Self.canonical) }
                + gateways.map { gateway in
                    gateway.revision(id)?.isDeleted == false ? gateway.body(id).map(Self.canonical) : nil
                }
        }

        private static func canonical(_ text: String) -> String {
            guard let value = try? JSONValue(parsing: Array(text.utf8)) else { return text }
            return String(decoding: JSONWriter(sortsKeys: true).bytes(value), as: UTF8.self)
        }

        func stop() async throws { for gateway in gateways { try await gateway.stop() } }

        private static let timeout = 12
    }

    enum Resolver: CaseIterable {
        case `default`, remoteWins, merging
    }

    private struct RemoteWins: ConflictResolverProtocol {
        func resolve(conflict: Conflict) -> Document? { conflict.remoteDocument }
    }

    /// Puts both texts side by side, no matter who is asked.
    private struct Merging: ConflictResolverProtocol {
        func resolve(conflict: Conflict) -> Document? {
            guard let local = conflict.localDocument, let remote = conflict.remoteDocument else {
                return conflict.localDocument ?? conflict.remoteDocument
            }
            let texts = [local, remote].flatMap { document in
                (document.string(forKey: "v") ?? "").split(separator: "+").map(String.init)
            }
            let merged = local.toMutable()
            merged.setString(Set(texts).sorted().joined(separator: "+"), forKey: "v")
            return merged
        }
    }

    /// Random edits and deletions on all four, and syncs of any pair at any time.
    @Test(.timeLimit(.minutes(10)), arguments: 0..<50)
    func allAgreeAfterQuietAndNothingMovesAnyMore(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let team = try await Team(Resolver.allCases[Int(seed % 3)])
        let ids = ["a", "b", "c"]
        for step in 0..<24 {
            let id = ids[random.number(below: ids.count)]
            let isDeletion = random.number(below: 6) == 0
            switch random.number(below: 8) {
            case 0, 1, 2: try team.laptops[step % 2].edit(id, "here \(step)", isDeletion: isDeletion)
            case 3: team.gateways[step % 2].edit(id, "there \(step)", isDeletion: isDeletion)
            default: try await team.sync(random.number(below: 2), random.number(below: 2))
            }
        }
        #expect(try await team.settle(&random) < .max, "seed \(seed)")
        for id in ids {
            #expect(Set(try team.contents(id)).count == 1, "seed \(seed), document \(id)")
        }
        try await team.stop()
    }

    /// Each laptop brings its own document of one id to a gateway of its own, and then all meet all.
    @Test(.timeLimit(.minutes(1)), arguments: Resolver.allCases, [true, false])
    func whatMetHalfwayComesToRest(resolver: Resolver, isShared: Bool) async throws {
        var random = SeededGenerator(seed: 1)
        let team = try await Team(resolver)
        if isShared {
            try team.laptops[0].put("x", NorthDocument.body("first"))
            #expect(try await team.settle(&random) < 4)
        }
        for (index, laptop) in team.laptops.enumerated() {
            try laptop.edit("x", "from \(index)", isDeletion: false)
            try await team.sync(index, index)
        }
        #expect(try await team.settle(&random) < 6)
        #expect(Set(try team.contents("x")).count == 1)
        #expect(try team.contents("x")[0] != nil)
        for gateway in team.gateways { #expect(try #require(gateway.revision("x")).id.attachmentPosition < 8) }
        try await team.stop()
    }

    /// All four pairs all the time, while both laptops and both gateways edit.
    @Test(.timeLimit(.minutes(5)), arguments: 0..<20)
    func allAgreeAfterWorkOnline(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let team = try await Team(Resolver.allCases[Int(seed % 3)])
        let logs = try await team.goOnline()
        let ids = ["a", "b", "c"]
        for step in 0..<20 {
            let id = ids[random.number(below: ids.count)]
            let index = random.number(below: 4)
            if index < 2 {
                try team.laptops[index].edit(id, "here \(step)", isDeletion: false)
            } else {
                team.gateways[index - 2].edit(id, "there \(step)", isDeletion: random.number(below: 6) == 0)
            }
            if random.number(below: 3) == 0 { await Task.yield() }
        }
        for log in logs { try await log.stop() }
        #expect(try await team.settle(&random) < .max, "seed \(seed)")
        for id in ids { #expect(Set(try team.contents(id)).count == 1, "seed \(seed), document \(id)") }
        try await team.stop()
    }

    /// Where each edit adds a word and conflicts are merged, all words are there in the end.
    @Test(.timeLimit(.minutes(5)), arguments: 0..<30) func noEditIsLost(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let team = try await Team(.merging)
        let isOnline = seed % 3 == 0
        let logs = isOnline ? try await team.goOnline() : []
        var additions: Set<String> = []
        for step in 0..<24 {
            switch random.number(below: isOnline ? 2 : 5) {
            case 0, 1: try add("word\(step)", to: team.laptops[step % 2])
            case 2: add("word\(step)", to: team.gateways[step % 2])
            default:
                try await team.sync(random.number(below: 2), random.number(below: 2))
                continue
            }
            additions.insert("word\(step)")
        }
        for log in logs { try await log.stop() }
        #expect(try await team.settle(&random) < .max, "seed \(seed)")
        let contents = try team.contents("x")
        #expect(Set(contents).count == 1, "seed \(seed)")
        #expect(Self.additions(contents[0]) == additions, "seed \(seed)")
        try await team.stop()
    }

    private func add(_ word: String, to laptop: Laptop) throws {
        var isSaved = false
        while !isSaved {
            let document =
                try laptop.collection.document(id: "x")?.toMutable()
                ?? MutableDocument(id: "x", json: NorthDocument.body(""))
            document.setString("\(document.string(forKey: "v") ?? "")+\(word)", forKey: "v")
            isSaved = try laptop.collection.save(document: document, concurrencyControl: .failOnConflict)
        }
    }

    private func add(_ word: String, to gateway: LoopbackGateway) {
        let additions = Self.additions(gateway.body("x")).union([word])
        gateway.put("x", NorthDocument.body(additions.sorted().joined(separator: "+")))
    }

    private static func additions(_ body: String?) -> Set<String> {
        let text = body.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?["v"]?.stringValue ?? ""
        return Set(text.split(separator: "+").map(String.init))
    }
}
