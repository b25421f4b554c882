import DocumentValues
import Foundation
import Logging
import Testing

@testable import GatewayServer

/// What becomes of the audit log on a disk that takes no more.
@Suite struct AuditLogTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func note(_ log: AuditLog) {
        log.administration(actor: "admin", client: "127.0.0.1", method: "PUT", path: "/db/_user/x", status: 200)
    }

    @Test func whatCannotBeWrittenIsCounted() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(AuditLog.fileName)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/full")
        let log = try AuditLog(folder: folder.path, logger: Logger(label: "test"))
        for _ in 0..<3 { note(log) }
        #expect(log.lines == AuditLog.Lines(written: 0, lost: 3))
        // Moved away, as logrotate does, and there is room.
        try FileManager.default.removeItem(at: file)
        try log.reopen()
        note(log)
        #expect(log.lines == AuditLog.Lines(written: 1, lost: 3))
    }

    /// After a restore it says who was shut out since.
    @Test(.timeLimit(.minutes(1))) func whatIsChangedOfAUserIsWrittenDown() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestGateway.run {
            $0.logging.folder = folder.path
        } _: { gateway in
            let team = try await TestTeam(gateway)
            func events() throws -> [JSONObject] {
                try String(contentsOf: folder.appendingPathComponent(AuditLog.fileName), encoding: .utf8)
                    .split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
                    .filter { ["user", "role"].contains($0["event"]?.stringValue) }
            }
            let before = try events().count
            #expect(try events().contains { $0["name"] == "alice" && $0["changed"]?["created"] == true })
            try await team.expect(
                201,
                team.admin(
                    "PUT", "/db/_role/lead", ["collection_access": ["field": ["sites": ["admin_channels": ["x"]]]]]))
            try await team.expect(
                200, team.admin("PUT", "/db/_user/alice", ["disabled": true, "admin_roles": ["lead"]]))
            try await team.expect(200, team.admin("PUT", "/db/_user/alice", ["password": "a secret"]))
            try await team.expect(200, team.admin("PUT", "/db/_user/alice", ["disabled": true]))
            try await team.expect(200, team.admin("DELETE", "/db/_user/alice"))
            let changes = try events().dropFirst(before).compactMap { $0["changed"] }
            #expect(
                changes == [
                    ["created": true, "collection_access": ["field.sites": ["x"]]],
                    ["admin_roles": ["lead"], "disabled": true], ["password": true], ["deleted": true],
                ])
            let text = try String(contentsOf: folder.appendingPathComponent(AuditLog.fileName), encoding: .utf8)
            #expect(!text.contains("a secret"))
        }
    }

    /// The strongest right of all changes by a command beside the gateway.
    @Test func whoBecomesAnAdministratorIsWrittenDown() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        try Administrators.set("admin", password: "one", storage: path)
        let logger = Logger(label: "test")
        let log = try AuditLog(folder: path, logger: logger)
        let administrators = try Administrators(storage: path, audit: log, logger: logger)
        administrators.look()
        try Administrators.set("carol", password: "a secret", storage: path)
        administrators.look()
        administrators.look()
        try Administrators.set("admin", password: "two", storage: path)
        // Also where somebody signs in first.
        #expect(administrators.hash(of: "admin") != nil)
        try Administrators.remove("carol", storage: path)
        administrators.look()
        let text = try String(contentsOf: folder.appendingPathComponent(AuditLog.fileName), encoding: .utf8)
        let events = try text.split(separator: "\n").map { try JSONObject(parsing: Array($0.utf8)) }
        #expect(events.allSatisfy { $0["event"] == "administrator" })
        #expect(events.compactMap { $0["name"] } == ["carol", "admin", "carol"])
        #expect(events.compactMap { $0["changed"] } == [["created": true], ["password": true], ["deleted": true]])
        #expect(!text.contains("a secret"))
    }

    /// Two administrators at once: neither is lost, and who is removed stays so.
    @Test func administratorsAreChangedOneAfterTheOther() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        try Administrators.set("admin", password: "one", storage: path)
        try Administrators.set("gone", password: "two", storage: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask { try Administrators.set(name, password: "three", storage: path) }
            }
            group.addTask { try Administrators.remove("gone", storage: path) }
            try await group.waitForAll()
        }
        #expect(try Administrators.names(storage: path) == ["a", "admin", "b", "c"])
    }
}
