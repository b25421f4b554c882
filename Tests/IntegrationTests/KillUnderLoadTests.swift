import DocumentValues
import Foundation
import SeededRandom
import Testing

/// `kill -9` of a gateway that many write to, at moments that a seed decides.
///
/// `FIELDBOOK_KILLS` says how often (40 unless set), `FIELDBOOK_KILL_SEED` repeats a run.
@Suite(.serialized) struct KillUnderLoadTests {
    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    /// The clients that load the gateway.
    private struct Clients {
        let record = LoadRecord()
        let laptops: [SyncLoad]
        private let threads: [LoadThread]

        init(_ gateway: Gateway, seed: UInt64) throws {
            let record = record
            laptops = try ["lara", "liam"].enumerated().map { index, name in
                try SyncLoad(name, gateway: gateway, record: record, seed: seed &+ UInt64(index))
            }
            let rest = (0..<3).map {
                RESTLoad("rest\($0)", port: gateway.publicPort, record: record, seed: seed &+ 10 &+ UInt64($0))
            }
            threads =
                laptops.map { laptop in LoadThread(record) { laptop.write() } }
                + rest.dropLast().map { client in LoadThread(record) { client.write() } }
                + rest.suffix(1).map { client in LoadThread(record) { client.follow() } }
        }

        /// - Returns: whether all clients have ended.
        func end() -> Bool {
            record.isOver = true
            return threads.allSatisfy { $0.join() }
        }
    }

    @Test(.timeLimit(.minutes(20))) func everyAcknowledgedWriteOutlivesTheGateway() throws {
        let kills = Int(Self.number("FIELDBOOK_KILLS") ?? 40)
        let seed = Self.number("FIELDBOOK_KILL_SEED") ?? UInt64.random(in: 0..<1_000_000)
        print("FIELDBOOK_KILL_SEED=\(seed)")
        var chance = SeededGenerator(seed: seed)
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["rita": ["north"], "lara": ["north"], "liam": ["north"]])
        let clients = try Clients(gateway, seed: seed)
        var audit = Audit(gateway: gateway, record: clients.record)
        for kill in 1...kills {
            let count = clients.record.count + 1 + chance.number(below: 60)
            // Now and then a kill waits for a laptop: those who only need a request are faster after each start.
            let pushes = clients.record.pushes.count + (chance.number(below: 4) == 0 ? 1 : 0)
            #expect(
                eventually(within: 60) { clients.record.count >= count && clients.record.pushes.count >= pushes },
                "kill \(kill): the load has stopped")
            // Where in a request, a commit or a frame it strikes is left to chance.
            usleep(UInt32(chance.number(below: 30_000)))
            gateway.kill()
            audit.note()
            if chance.number(below: 5) == 0 { try gateway.startAndKill(after: UInt32(chance.number(below: 400_000))) }
            try gateway.start()
            try audit.check("kill \(kill) of seed \(seed)")
        }
        #expect(clients.end(), "a client does not end")
        try checkEnd(gateway, clients, audit, "seed \(seed)")
        print("\(kills) kills, \(clients.record.writes.count) writes and \(clients.record.pushes.count) pushes kept")
    }

    /// All clients have what the gateway has, and it has all that it acknowledged to them.
    private func checkEnd(_ gateway: Gateway, _ clients: Clients, _ audit: Audit, _ moment: String) throws {
        for laptop in clients.laptops {
            let isEqual = try eventually(within: 120) {
                try laptop.isDone && laptop.contents() == audit.currentRevisions()
            }
            #expect(isEqual, "\(moment): \(laptop.status)")
            #expect(laptop.stop())
        }
        #expect(clients.record.troubles == [], "\(moment)")
        var complete = audit
        complete.forget()
        try complete.check("the end of \(moment)")
        let everything = try audit.currentRevisions()
        let missing = clients.record.pushes.filter { everything[$0] == nil }
        #expect(missing.isEmpty, "\(moment) lost \(missing.prefix(10))")
    }
}

/// Compares what was acknowledged to clients with what the gateway has.
private struct Audit {
    let gateway: Gateway
    let record: LoadRecord
    private var checked = 0
    /// Rows up to here were compared.
    private var checkedSequence: UInt64 = 0
    private var acknowledged: [LoadRecord.Acknowledged] = []
    private var seen: [String: LoadRecord.Row] = [:]

    init(gateway: Gateway, record: LoadRecord) {
        self.gateway = gateway
        self.record = record
    }

    /// What was acknowledged up to now is what has to be there.
    mutating func note() {
        acknowledged = record.writes
        seen = record.rows
    }

    /// Begins from the first write again.
    mutating func forget() {
        note()
        checked = 0
        checkedSequence = 0
    }

    mutating func check(_ moment: String) throws {
        try checkRevisions(moment)
        try checkSequences(moment)
    }

    private mutating func checkRevisions(_ moment: String) throws {
        let news = Dictionary(grouping: acknowledged[checked...], by: \.id).mapValues { $0.map(\.revision) }
        checked = acknowledged.count
        let body = try JSONSerialization.data(withJSONObject: news)
        let answer = try gateway.admin("POST", RESTLoad.path + "_revs_diff", String(decoding: body, as: UTF8.self))
        #expect(answer.status == 200)
        #expect(answer.object.isEmpty, "\(moment) lost \(answer.object)")
    }

    /// Compares what was seen since the last check; the check at the end compares everything.
    private mutating func checkSequences(_ moment: String) throws {
        let news = seen.filter { $0.value.sequence > checkedSequence }
        var now: [String: UInt64] = [:]
        var owners: [UInt64: String] = [:]
        var since = checkedSequence
        // Clients go on writing: what changes while a feed is read is in the next one.
        for round in 0..<20 where round == 0 || news.contains(where: { now[$0.key] == nil }) {
            let feed = try gateway.admin("GET", RESTLoad.path + "_changes?since=\(since)").object
            for row in feed["results"] as? [[String: Any]] ?? [] {
                guard let id = row["id"] as? String, let sequence = (row["seq"] as? NSNumber)?.uint64Value else {
                    continue
                }
                #expect(owners.updateValue(id, forKey: sequence) == nil, "\(moment): \(sequence) twice")
                now[id] = sequence
            }
            since = try #require((feed["last_seq"] as? String).flatMap { UInt64($0) }, "\(feed.keys)")
        }
        let highest = news.values.map(\.sequence).max() ?? checkedSequence
        #expect(since >= highest, "\(moment): the sequences went back")
        for (id, row) in news {
            #expect(now[id] ?? 0 >= row.sequence, "\(moment): \(id) went back from \(row.sequence)")
            if let owner = owners[row.sequence] { #expect(owner == id, "\(moment): \(row.sequence) was given again") }
        }
        checkedSequence = highest
    }

    /// Of every document.
    func currentRevisions() throws -> [String: String] {
        let answer = try gateway.admin("GET", RESTLoad.path + "_all_docs").object
        let rows = answer["rows"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                guard let id = row["id"] as? String, let value = row["value"] as? [String: Any] else { return nil }
                return (id, value["rev"] as? String ?? "")
            })
    }
}
