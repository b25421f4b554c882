import Foundation
import Testing

/// `fieldbook db` with encrypted databases: the key comes from a file.
@Suite struct EncryptionCommandTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("encryption-\(UUID().uuidString)")

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        return url.path
    }

    private func run(
        _ arguments: [String], key: String? = nil, input: String = ""
    ) throws -> Program.Output {
        try Program.fieldbook.start(
            ["db"] + arguments, input: input, environment: key.map { ["FIELDBOOK_KEY_FILE": $0] } ?? [:]
        ).finish(limit: 60)
    }

    private func isPlain(_ database: String, _ text: String) throws -> Bool {
        for path in try FileManager.default.subpathsOfDirectory(atPath: database) {
            let file = URL(fileURLWithPath: database).appendingPathComponent(path)
            if let content = try? Data(contentsOf: file), content.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    @Test(.timeLimit(.minutes(2))) func aDatabaseIsEncryptedReadAndDecrypted() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("db").path
        let (key, other) = (
            try file("key", "correct horse\n"), try file("other", "hex:" + String(repeating: "0f", count: 32) + "\n")
        )
        let photo = try file("photo", "photo of the kitchen")
        let put = try run(
            ["put", database, "field.notes", "a", "--key-file", key, "--blob", "p=\(photo),x/y"],
            input: #"{"text":"rats in the kitchen"}"#)
        #expect(put.status == 0, "\(put.err)")
        #expect(try !isPlain(database, "in the kitchen") && !isPlain(database, "of the kitchen"))

        // By the variable, by the option, and with a wrong key or none.
        let get = ["get", database, "field.notes", "a"]
        #expect(try run(get, key: key).out.contains("rats in the kitchen"))
        #expect(try run(get + ["--blob", "p", "--key-file", key]).out == "photo of the kitchen")
        for arguments in [get, get + ["--key-file", other]] {
            let refused = try run(arguments)
            #expect(refused.status == 1 && refused.out.isEmpty && refused.err.contains("encrypted"), "\(refused.err)")
        }

        let changed = try run(["key", database, "--key-file", key, "--new-key-file", other])
        #expect(changed.status == 0, "\(changed.err)")
        #expect(try run(get, key: key).status == 1)
        #expect(try run(get, key: other).out.contains("rats in the kitchen"))
        #expect(try run(["check", database, "--key-file", other]).status == 0)

        #expect(try run(["key", database, "--key-file", other, "--decrypt"]).status == 0)
        // The variable may be set for other databases.
        #expect(try run(get, key: other).out.contains("rats in the kitchen"))
        #expect(try isPlain(database, "in the kitchen"))
    }

    /// Killed at any moment, the change has left the former key or the new one, and a whole database.
    @Test(.timeLimit(.minutes(5))) func aKilledChangeLeavesOneOfBothKeys() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("db").path
        var keys = try ["01", "02"].map { try file($0, "hex:" + String(repeating: $0, count: 32) + "\n") }
        let lines = (0..<500).map { #"{"_id":"\#($0)","text":"\#(String(repeating: "rats", count: 500))"}"# }
        let put = try run(
            ["put", database, "field.notes", "--lines", "--key-file", keys[0]], input: lines.joined(separator: "\n"))
        #expect(put.status == 0, "\(put.err)")
        // A whole change shows how long one takes, on a busy machine, too; the others are killed on the way, or just after it.
        let start = ContinuousClock.now
        #expect(try change(database, from: keys[0], to: keys[1]).finish(limit: 60).status == 0)
        let duration = (ContinuousClock.now - start) / .seconds(1)
        keys.swapAt(0, 1)
        for round in 0..<25 {
            let interrupted = try change(database, from: keys[0], to: keys[1])
            _ = interrupted.finish(limit: duration * Double(round) / 20)
            let opened = try keys.map { try run(["ls", database, "field.notes", "--key-file", $0]) }
            #expect(opened.count { $0.status == 0 } == 1, "\(opened.map(\.err))")
            if opened[1].status == 0 { keys.swapAt(0, 1) }
            #expect(opened.contains { $0.out.split(separator: "\n").count == 500 })
        }
        #expect(try run(["check", database, "--key-file", keys[0]]).status == 0)
    }

    private func change(_ database: String, from key: String, to other: String) throws -> RunningProgram {
        try Program.fieldbook.start(["db", "key", database, "--key-file", key, "--new-key-file", other], input: "")
    }

    @Test(.timeLimit(.minutes(1))) func wrongUseIsRefused() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("db").path
        let short = try file("key", "hex:0f0f\n")
        let put = try run(["put", database, "field.notes", "a", "--key-file", short], input: "{}")
        #expect(put.status == 1 && put.err.contains("64 hexadecimal digits"), "\(put.err)")
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try run(["key", database]).status == 2)
        #expect(try run(["key", database, "--decrypt"]).err.contains("There is no database folder"))
    }
}
