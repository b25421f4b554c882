import Foundation
import SeededRandom
import Testing

/// Three laptops that edit, delete and make again the same documents, each syncing now and then: in the end all have the
/// same, and nothing is refused.
@Suite(.serialized) struct RecreatedDocumentTests {
    private struct Team {
        let gateway: Gateway
        let laptops: [Laptop]
        private static let users = ["ann", "ben", "eve"]

        init() throws {
            gateway = try Gateway()
            try gateway.makeDatabase(users: Dictionary(uniqueKeysWithValues: Self.users.map { ($0, ["north"]) }))
            laptops = try Self.users.map { _ in try Laptop() }
        }

        /// - Returns: how many documents went either way, and what was refused.
        func sync(_ index: Int) throws -> (moved: Int, refused: [String]) {
            let output = try laptops[index].sync("sync", gateway, user: Self.users[index])
            guard output.status == 0 else { throw Gateway.Failure(text: "sync failed: \(output.out) \(output.err)") }
            let documents = output.events.filter { $0["event"] as? String == "document" }
            let refused = documents.filter { $0["error"] != nil }.map { "\($0)" }
            return (documents.count, refused)
        }

        /// The content of all documents, by id.
        func contents(_ laptop: Laptop) throws -> [String: Int] {
            let documents = try laptop.db("ls", Gateway.collection, "--json").events
            return Dictionary(
                uniqueKeysWithValues: documents.compactMap { document in
                    (document["_id"] as? String).map { ($0, document["n"] as? Int ?? -1) }
                })
        }

        func contentsOfGateway() throws -> [String: Int] {
            let answer = try gateway.admin("GET", "/db.\(Gateway.collection)/_all_docs?include_docs=true")
            let rows = answer.object["rows"] as? [[String: Any]] ?? []
            return Dictionary(
                uniqueKeysWithValues: rows.compactMap { row in
                    (row["id"] as? String).map { ($0, (row["doc"] as? [String: Any])?["n"] as? Int ?? -1) }
                })
        }
    }

    /// `FIELDBOOK_TEAM_HISTORIES` runs so many histories.
    private static let histories =
        ProcessInfo.processInfo.environment["FIELDBOOK_TEAM_HISTORIES"].flatMap { Int($0) } ?? 1

    /// 20 is the seed with which a document stayed refused for ever.
    @Test(.timeLimit(.minutes(5)), arguments: 20..<20 + UInt32(histories))
    func allAgreeInTheEnd(seed: UInt32) throws {
        let team = try Team()
        var counter = 0
        for visit in TeamHistory(seed: seed) {
            try work(team.laptops[visit.laptop], visit.changes, &counter)
            if visit.syncs { _ = try team.sync(visit.laptop) }
        }
        var isQuiet = false
        for _ in 0..<8 where !isQuiet {
            isQuiet = try team.laptops.indices.map { try team.sync($0).moved }.allSatisfy { $0 == 0 }
        }
        let refused = try team.laptops.indices.flatMap { try team.sync($0).refused }
        #expect(isQuiet, "seed \(seed): there is always something left")
        #expect(refused.isEmpty, "seed \(seed)")
        let there = try team.contentsOfGateway()
        for laptop in team.laptops { #expect(try team.contents(laptop) == there, "seed \(seed)") }
    }

    private func work(
        _ laptop: Laptop, _ changes: [(documentID: String, isDeleted: Bool)], _ counter: inout Int
    ) throws {
        var edits: [(id: String, body: String)] = []
        for change in changes {
            counter += 1
            if change.isDeleted {
                // Refused where there is none.
                try laptop.db("rm", Gateway.collection, change.documentID)
            } else {
                edits.append((change.documentID, #"{"n":\#(counter),"channels":["north"]}"#))
            }
        }
        try laptop.put(edits)
    }

    /// The same history in small: what one laptop deletes a second time, another has made again.
    @Test(.timeLimit(.minutes(2))) func aDocumentMadeAgainOverADeletionThatWonIsPushed() throws {
        let team = try Team()
        let (ann, ben, eve) = (team.laptops[0], team.laptops[1], team.laptops[2])
        try ann.put([("d", #"{"n":1,"channels":["north"]}"#)])
        for index in 0..<3 { _ = try team.sync(index) }
        try ann.db("rm", Gateway.collection, "d")
        _ = try team.sync(0)
        _ = try team.sync(2)
        // The deletion wins over ben's edit, and his laptop deletes once more.
        try ben.put([("d", #"{"n":2,"channels":["north"]}"#)])
        for _ in 0..<2 { _ = try team.sync(1) }
        // Eve has heard of the first deletion only, unless she hears of the second now.
        _ = try team.sync(2)
        try eve.put([("d", #"{"n":3,"channels":["north"]}"#)])
        #expect(try team.sync(2).refused == [])
        #expect(try team.contentsOfGateway() == ["d": 3])
        for index in [0, 1] {
            _ = try team.sync(index)
            #expect(try team.contents(team.laptops[index]) == ["d": 3])
        }
    }
}
