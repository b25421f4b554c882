import Foundation
import Testing

/// A gateway that is restored from a backup, with laptops that have seen more than it has.
@Suite(.serialized) struct RestoredGatewayTests {
    private let gateway: Gateway
    private let ann: Laptop
    private let ben: Laptop
    private let backup: String

    init() throws {
        gateway = try Gateway()
        try gateway.makeDatabase(users: ["ann": ["north"], "ben": ["north"]])
        ann = try Laptop()
        ben = try Laptop()
        backup = gateway.folder.appendingPathComponent("backup").path
    }

    private func sync(_ laptop: Laptop, _ user: String) throws -> [[String: Any]] {
        let output = try laptop.sync("sync", gateway, user: user)
        guard output.status == 0 else { throw Gateway.Failure(text: "\(output.out) \(output.err)") }
        return output.events.filter { $0["event"] as? String == "document" }
    }

    private func operate(_ words: String...) throws -> Program.Output {
        let config = gateway.folder.appendingPathComponent("gateway.yaml").path
        let output = try Program.gateway.run([words[0], "--config", config] + words.dropFirst())
        guard output.status == 0 else { throw Gateway.Failure(text: "\(output.out) \(output.err)") }
        return output
    }

    private func restore() throws -> String {
        gateway.kill(SIGTERM)
        let output = try operate("restore", "--replace", backup)
        try gateway.start()
        return output.out
    }

    private func atTheGateway(_ id: String) throws -> Int {
        try gateway.admin("GET", "/db.\(Gateway.collection)/\(id)").status
    }

    private static func body(_ number: Int, closed: Bool = false) -> String {
        #"{"n":\#(number),"channels":["north"]\#(closed ? #","closed":true"# : "")}"#
    }

    /// Ben's account is younger than the backup, or not. His feed begins after the deletion then.
    @Test(.timeLimit(.minutes(3)), arguments: [false, true])
    func whatPeopleDidSinceTheBackupComesBack(benIsNew: Bool) throws {
        if benIsNew { _ = try gateway.admin("DELETE", "/db/_user/ben") }
        try ann.put([("kept", Self.body(1)), ("deleted", Self.body(1)), ("edited", Self.body(1))])
        _ = try sync(ann, "ann")
        _ = try operate("backup", backup)
        if benIsNew { try gateway.setUser("ben", ["north"]) }
        _ = try sync(ben, "ben")
        try ann.db("rm", Gateway.collection, "deleted")
        try ann.put([("edited", Self.body(2)), ("made", Self.body(2))])
        _ = try sync(ann, "ann")

        let said = try restore()
        #expect(said.contains("user ben") == benIsNew, "\(said)")
        #expect(said.contains("rights are those of the backup"))
        #expect(try atTheGateway("deleted") == 200 && atTheGateway("made") == 404)
        _ = try sync(ann, "ann")
        #expect(try atTheGateway("deleted") == 404 && atTheGateway("made") == 200)
        if benIsNew { try gateway.setUser("ben", ["north"]) }
        for _ in 0..<2 { _ = try sync(ben, "ben") }
        #expect(try ben.ids() == ["edited", "kept", "made"])
        #expect(try ann.ids() == ben.ids())
        #expect(try sync(ann, "ann").isEmpty && sync(ben, "ben").isEmpty, "all is at rest")
    }

    /// The gateway's rules were stricter when it refused.
    @Test(.timeLimit(.minutes(3))) func whatWasRefusedIsOfferedAgain() throws {
        try ann.put([("first", Self.body(1))])
        _ = try sync(ann, "ann")
        _ = try operate("backup", backup)
        let strict = "function(doc){if(doc.n>1)throw({forbidden:'only ones'});channel(doc.channels);}"
        let path = "/db.\(Gateway.collection)/_config/sync"
        #expect(try gateway.admin("PUT", path, strict).status == 200)
        try ann.put([("second", Self.body(2))])
        #expect(try sync(ann, "ann").compactMap { $0["error"] }.count == 1)
        _ = try restore()
        _ = try sync(ann, "ann")
        #expect(try atTheGateway("second") == 200)
        #expect(try sync(ann, "ann").isEmpty)
    }
}
