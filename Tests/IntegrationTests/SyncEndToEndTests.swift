import Foundation
import Glibc
import Testing

/// Two laptops and a gateway, as real processes over real sockets.
@Suite(.serialized) struct SyncEndToEndTests {
    private static func documents(_ count: Int, prefix: String = "d", channel: String) -> [(id: String, body: String)] {
        (0..<count).map { ("\(prefix)\($0)", #"{"n":\#($0),"channels":["\#(channel)"]}"#) }
    }

    @Test(.timeLimit(.minutes(2))) func whatOneLaptopPushesTheOtherPulls() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"], "eve": ["south"]])
        let (ann, ben, eve) = (try Laptop(), try Laptop(), try Laptop())
        try ann.put(Self.documents(250, channel: "north"))
        let push = try ann.sync("push", gateway, user: "ann")
        #expect(push.status == 0, "\(push.out) \(push.err)")
        #expect(push.events.last?["pushed"] as? Int == 250)
        let pull = try ben.sync("pull", gateway, user: "ben")
        #expect(pull.events.last?["pulled"] as? Int == 250, "\(pull.out) \(pull.err)")
        #expect(try ben.ids() == ann.ids())
        try #require(try eve.sync("pull", gateway, user: "eve").status == 0)
        #expect(try eve.ids().isEmpty)
    }

    @Test(.timeLimit(.minutes(2))) func editsAndDeletionsTravelBothWays() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"]])
        let (ann, ben) = (try Laptop(), try Laptop())
        try ann.put(Self.documents(3, channel: "north"))
        try #require(try ann.sync("sync", gateway, user: "ann").status == 0)
        try #require(try ben.sync("sync", gateway, user: "ben").status == 0)
        try #require(try ben.db("rm", Gateway.collection, "d0").status == 0)
        try ben.put([("d1", #"{"n":11,"channels":["north"]}"#)])
        try #require(try ben.sync("sync", gateway, user: "ben").status == 0)
        try #require(try ann.sync("sync", gateway, user: "ann").status == 0)
        #expect(try ann.ids() == ["d1", "d2"])
        let edited = try ann.db("get", Gateway.collection, "d1")
        #expect(edited.events.first?["n"] as? Int == 11)
        #expect(try ann.db("get", Gateway.collection, "d0").status == 1)
    }

    @Test(.timeLimit(.minutes(2))) func aRevokedChannelLeavesTheLaptop() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north", "south"], "ben": ["north", "south"]])
        let (ann, ben) = (try Laptop(), try Laptop())
        try ann.put(
            Self.documents(20, prefix: "n", channel: "north") + Self.documents(10, prefix: "s", channel: "south"))
        try #require(try ann.sync("push", gateway, user: "ann").status == 0)
        try #require(try ben.sync("pull", gateway, user: "ben").status == 0)
        #expect(try ben.ids().count == 30)
        try gateway.setUser("ben", ["south"])
        let pull = try ben.sync("pull", gateway, user: "ben")
        #expect(try ben.ids().allSatisfy { $0.hasPrefix("s") }, "\(pull.out)")
        #expect(try ben.ids().count == 10)
        try gateway.setUser("ben", ["north", "south"])
        try #require(try ben.sync("pull", gateway, user: "ben").status == 0)
        #expect(try ben.ids().count == 30)
    }

    @Test(.timeLimit(.minutes(2))) func blobsArriveWholeAndLieSealed() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"]])
        let (ann, ben) = (try Laptop(), try Laptop())
        let picture = ann.folder.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).bin")
        let marker = "a mark that would be found in plain bytes "
        try Data(String(repeating: marker, count: 20_000).utf8).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let put = try ann.db(
            "put", Gateway.collection, "pic", "--blob", "photo=\(picture.path),image/jpeg",
            input: #"{"channels":["north"]}"#)
        try #require(put.status == 0, "\(put.err)")
        try #require(try ann.sync("push", gateway, user: "ann").status == 0)
        try #require(try ben.sync("pull", gateway, user: "ben").status == 0)
        let blob = try ben.db("get", Gateway.collection, "pic", "--blob", "photo")
        #expect(blob.out == String(repeating: marker, count: 20_000))
        for laptop in [ann, ben] { #expect(try !Self.contains(Data(marker.utf8), in: laptop.folder)) }
    }

    private static func contains(_ bytes: Data, in folder: URL) throws -> Bool {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if let data = try? Data(contentsOf: file), data.range(of: bytes) != nil { return true }
        }
        return false
    }

    /// A session from a file is in no argument list.
    @Test(.timeLimit(.minutes(1))) func aSessionFromAFile() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let made = try gateway.admin("POST", "/db/_session", #"{"name":"ann"}"#)
        let session = try #require(made.object["session_id"] as? String)
        let laptop = try Laptop()
        try laptop.put(Self.documents(3, channel: "north"))
        let file = laptop.folder.appendingPathExtension("session")
        try Data((session + "\n").utf8).write(to: file)
        chmod(file.path, 0o600)
        defer { try? FileManager.default.removeItem(at: file) }
        let common = [
            "db", "push", laptop.folder.path, "--url", gateway.url, "--collections", Gateway.collection, "--json",
        ]
        let push = try Program.fieldbook.run(common + ["--session-file", file.path])
        #expect(push.status == 0, "\(push.out) \(push.err)")
        #expect(try gateway.documentCount() == 3)
        let both = try Program.fieldbook.run(common + ["--session-file", file.path, "--session", "x"])
        #expect(both.status == 2)
    }

    /// Passwords and keys are in the memory.
    @Test(.timeLimit(.minutes(1))) func noImageOfTheMemoryIsLeft() throws {
        let gateway = try Gateway()
        let identifier = try #require(gateway.running?.identifier)
        let limits = try String(contentsOfFile: "/proc/\(identifier)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
        #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
    }

    /// Only the owner reads the files of a laptop's database, wherever they are copied to.
    @Test func onlyTheOwnerReadsTheFiles() throws {
        let laptop = try Laptop()
        try laptop.put(Self.documents(1, channel: "north"))
        let files = try FileManager.default.contentsOfDirectory(atPath: laptop.folder.path)
        for name in files where name.contains("sqlite") {
            let path = laptop.folder.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(files.contains { $0.contains("sqlite") })
    }

    /// Ids of others reach no terminal as they are.
    @Test(.timeLimit(.minutes(1))) func whatALaptopListsIsSafeToPrint() throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let laptop = try Laptop()
        // Those with control characters of ASCII are not taken; these are the others that a terminal acts on.
        let id = #"a\u009d0;OWNED\u009cforged\u009b31m\u202e"#
        let made = try gateway.admin(
            "POST", "/db.\(Gateway.collection)/_bulk_docs", #"{"docs":[{"_id":"\#(id)","channels":["north"]}]}"#)
        try #require(made.status == 201)
        try #require(try laptop.sync("pull", gateway, user: "ann").status == 0)
        let list = try laptop.db("ls", Gateway.collection)
        #expect(list.out == "a?0;OWNED?forged?31m?\n")
        let json = try laptop.db("ls", Gateway.collection, "--json")
        #expect(json.out.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) }, "\(json.out)")
        #expect(json.events.first?["_id"] as? String == "a\u{9D}0;OWNED\u{9C}forged\u{9B}31m\u{202E}")
        let missing = try laptop.db("get", Gateway.collection, "x\u{1B}[31m")
        #expect(missing.status == 1 && !missing.err.utf8.contains(0x1B))
    }

    /// A slip in a path leaves no database behind.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ["--user", "ann", "--password-file", "no-such-file"], ["--pinned-cert", "no-such-file"],
        ])
    func aFileThatCannotBeReadMakesNoFolder(options: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fieldbook-\(UUID().uuidString)")
        let output = try Program.fieldbook.run(["db", "pull", folder.path, "--url", "ws://127.0.0.1:1/db"] + options)
        #expect(output.status == 1 && output.err.contains("no-such-file cannot be read"), "\(output.err)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(.timeLimit(.minutes(2)), arguments: [("ann", "wrong", 10401), ("nobody", "secret", 10401)])
    func wrongCredentialsAreReportedAsSuch(user: String, password: String, code: Int) throws {
        let gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"]])
        let laptop = try Laptop()
        try laptop.put(Self.documents(1, channel: "north"))
        let file = laptop.folder.appendingPathExtension("other")
        try Data(password.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try Program.fieldbook.run([
            "db", "push", laptop.folder.path, "--url", gateway.url, "--collections", Gateway.collection, "--user", user,
            "--password-file", file.path, "--json", "--max-attempts", "1",
        ])
        #expect(output.status == 1)
        let codes = output.events.compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
        #expect(codes.contains(code), "\(output.out)")
        #expect(!output.out.contains("wrong") && !output.err.contains(password))
        #expect(try laptop.ids().count == 1)
    }
}
