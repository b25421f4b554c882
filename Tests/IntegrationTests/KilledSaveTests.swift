import Fieldbook
import Foundation
import Glibc
import SeededRandom
import Testing

/// `kill -9` at any point of a save, from the start of the program to its end: what was acknowledged is there, a batch is there
/// as a whole or not at all, and nothing is damaged.
@Suite(.serialized) struct KilledSaveTests {
    private static let points = 200
    /// Documents that are saved again and again.
    private static let documents = 10

    /// How long a program may run until it is killed: a random part of what it takes, which is found out on the way, whatever
    /// else the machine does.
    private struct Delays {
        private var random = PythonGenerator(seed: 12)
        private var whole: TimeInterval = 0.05

        mutating func next() -> TimeInterval { Double.random(in: 0...whole, using: &random) }

        mutating func note(isDone: Bool) { whole = min(30, max(0.005, whole * (isDone ? 0.95 : 1.03))) }
    }

    /// Runs the program until it ends, or is killed after that time.
    private func run(_ arguments: [String], input: String, atMost delay: TimeInterval) throws -> Program.Output {
        let program = try Program.fieldbook.start(["db"] + arguments, input: input)
        _ = eventually(within: delay) { !program.isRunning }
        if program.isRunning { program.signal(SIGKILL) }
        return program.finish(limit: 30)
    }

    private func open(_ laptop: Laptop) throws -> Database {
        var configuration = DatabaseConfiguration()
        configuration.sealAttachments(with: .keyFile)
        return try Database.open(folder: laptop.folder.path, config: configuration)
    }

    /// With an index of each kind, which a save changes, too.
    private func laptop() throws -> Laptop {
        let laptop = try Laptop()
        try laptop.put([("first", #"{"n":0}"#)])
        for index in [["ns", "--value", "n"], ["tags", "--array", "tags"], ["texts", "--fts", "text"]] {
            let output = try Program.fieldbook.run(
                ["db", "index", "create", laptop.folder.path, Gateway.collection] + index)
            try #require(output.status == 0, "\(output.err)")
        }
        return laptop
    }

    @Test(.timeLimit(.minutes(10))) func whatWasAcknowledgedIsThere() throws {
        let laptop = try laptop()
        let photo = laptop.folder.appendingPathComponent("photo")
        var delays = Delays()
        var acknowledged = [Int](repeating: 0, count: Self.documents)
        var (saved, killed) = (0, 0)
        for number in 1...Self.points {
            let slot = number % Self.documents
            try Data("photo \(number)".utf8).write(to: photo)
            let output = try run(
                [
                    "put", laptop.folder.path, Gateway.collection, "d\(slot)", "--blob",
                    "photo=\(photo.path),image/png",
                ], input: #"{"n":\#(number),"tags":["wet","t\#(number)"],"text":"number \#(number)"}"#,
                atMost: delays.next())
            let isSaved = output.out.contains("_rev")
            if isSaved { acknowledged[slot] = number }
            saved += isSaved ? 1 : 0
            killed += output.status == 0 ? 0 : 1
            delays.note(isDone: output.status == 0)
        }
        #expect(saved > 0 && killed > 0, "\(saved) saved, \(killed) killed")
        let database = try open(laptop)
        let inspections = try #require(try database.collection(name: "inspections", scope: "field"))
        for (slot, number) in acknowledged.enumerated() where number > 0 {
            let document = try #require(try inspections.document(id: "d\(slot)"))
            let stored = document.int(forKey: "n")
            #expect(stored >= number, "\(slot)")
            #expect(document.blob(forKey: "photo")?.content == Data("photo \(stored)".utf8))
        }
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
    }

    @Test(.timeLimit(.minutes(10))) func aBatchIsThereAsAWholeOrNotAtAll() throws {
        let laptop = try laptop()
        var delays = Delays()
        var done: [Int] = []
        let (batches, size) = (40, 300)
        for batch in 0..<batches {
            let lines = (0..<size).map {
                #"{"_id":"b\#(batch)-\#($0)","n":\#($0),"batch":\#(batch),"tags":["wet"],"text":"batch"}"#
            }
            let output = try run(
                ["put", laptop.folder.path, Gateway.collection, "--lines"],
                input: lines.joined(separator: "\n") + "\n", atMost: delays.next())
            if output.status == 0 { done.append(batch) }
            delays.note(isDone: output.status == 0)
        }
        let database = try open(laptop)
        let query = try database.createQuery(
            "SELECT batch, COUNT(*) AS documents FROM field.inspections WHERE batch IS VALUED GROUP BY batch")
        var there: [Int] = []
        for row in try query.execute() {
            there.append(row.int(forKey: "batch"))
            #expect(row.int(forKey: "documents") == size)
        }
        #expect(done.allSatisfy { there.contains($0) })
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
    }
}
