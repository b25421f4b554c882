import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// A database that cannot be opened is named, and the others are served.
@Suite(.timeLimit(.minutes(2))) struct UnavailableDatabaseTests {
    private static func damage(_ storage: String) {
        let folder = storage + "/broken"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let content = Data(repeating: 0x78, count: 8_192)
        _ = FileManager.default.createFile(atPath: folder + "/gateway.sqlite3", contents: content)
    }

    @Test func theOthersAreServed() async throws {
        try await TestGateway.run({ Self.damage($0.storagePath) }) { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.user("alice", "PUT", "\(TestTeam.collection)/d", ["channels": ["north"]]))
            let file = gateway.folder.path + "/broken/gateway.sqlite3"
            for path in ["/broken/", "/broken/_config", "/broken/d"] {
                let answer = try await team.admin("GET", path)
                #expect(answer.status == 503, "\(path) \(answer.status)")
                #expect(answer.text.replacing("\\/", with: "/").contains(file) && answer.text.contains("restore"))
            }
            // Only administrators read where it lies; 401 would have laptops ask for a password.
            for path in ["/broken/", "/broken/_blipsync", "/broken/_session"] {
                let answer = try await team.user("alice", "GET", path)
                #expect(answer.status == 503 && !answer.text.contains("sqlite"), "\(path) \(answer.status)")
            }
            #expect(try await team.admin("GET", "/_all_dbs").json == ["broken", "db"])
            let all = try await team.admin("GET", "/_all_dbs?verbose=true").json?.arrayValue
            #expect(all?.first?["state"] == "Unavailable")
            let status = try await team.admin("GET", "/_status").json?["databases"]
            #expect(status?["broken"]?["state"] == "Unavailable" && status?["db"]?["state"] == "Online")
            #expect(status?["broken"]?["reason"]?.stringValue?.contains(file) == true)
        }
    }

    /// As a mount leaves it that has not come up: nobody is to make an empty database of that name.
    @Test func anEmptyFolderIsADatabaseWithoutItsFile() async throws {
        try await TestGateway.run {
            try? FileManager.default.createDirectory(
                atPath: $0.storagePath + "/unmounted", withIntermediateDirectories: true)
        } _: { gateway in
            let team = TestTeam(of: gateway)
            let reason = try await team.admin("GET", "/_status").json?["databases"]?["unmounted"]?["reason"]?
                .stringValue
            #expect(reason?.contains("unmounted/gateway.sqlite3. Is its disk mounted?") == true)
            try await team.expect(503, team.admin("PUT", "/unmounted/", [:]))
            try await team.expect(503, team.user("alice", "GET", "/unmounted/"))
            try await team.expect(200, team.admin("DELETE", "/unmounted/"))
            try await team.expect(201, team.admin("PUT", "/unmounted/", [:]))
        }
    }

    /// The ports answer as before, and series that are only absent set off no alarm.
    @Test func alarmsAreSetOff() async throws {
        try await TestGateway.run({ Self.damage($0.storagePath) }) { gateway in
            let team = TestTeam(of: gateway)
            try await team.expect(201, team.admin("PUT", "/whole/", [:]))
            #expect(try await Self.health(gateway) == ["broken: 0", "whole: 1"])
            try await team.expect(200, team.admin("POST", "/whole/_offline"))
            #expect(try await Self.health(gateway) == ["broken: 0", "whole: 0"])
            try await team.expect(200, team.admin("POST", "/whole/_online"))
            #expect(try await Self.status(of: gateway).isInTrouble)
            try await team.expect(200, team.admin("DELETE", "/broken/"))
            #expect(try await Self.health(gateway) == ["whole: 1"])
            #expect(try await !Self.status(of: gateway).isInTrouble)
            try await team.expect(200, team.admin("POST", "/whole/_offline"))
            #expect(try await Self.status(of: gateway).isInTrouble)
        }
    }

    /// Which databases are served, by the metrics; of those that are none is damaged, and none has a full disk.
    private static func health(_ gateway: TestGateway) async throws -> [String] {
        let text = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort).text
        for other in text.matches(of: /fieldbook_gateway_database_(?:damaged|disk_full)\{.+\} (\d)/) {
            #expect(other.1 == "0", "\(other.0)")
        }
        return text.matches(of: /fieldbook_gateway_database_online\{database="(\w+)"\} (\d)/).map { "\($0.1): \($0.2)" }
    }

    private static func status(of gateway: TestGateway) async throws -> GatewayStatus {
        var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
        configuration.adminInterface = GatewayConfiguration.Interface(host: "127.0.0.1", port: gateway.adminPort)
        return try await GatewayStatus.read(configuration) { _ in "" }
    }

    @Test func itCanBeDeletedAndMadeAgain() async throws {
        let log = LogLines()
        try await TestGateway.run(log: log, { Self.damage($0.storagePath) }) { gateway in
            let team = TestTeam(of: gateway)
            #expect(log.line("not served")?.contains("broken/gateway.sqlite3") == true)
            try await team.expect(503, team.admin("PUT", "/broken/", [:]))
            try await team.expect(200, team.admin("DELETE", "/broken/"))
            #expect(log.line("its folder was moved")?.contains("/deleted/broken-") == true, "\(log.all)")
            let audit = try String(contentsOfFile: gateway.folder.path + "/sg_audit.log", encoding: .utf8)
            #expect(audit.contains("database_deleted") && audit.contains("deleted/broken-"))
            try await team.expect(404, team.admin("GET", "/broken/"))
            try await team.expect(201, team.admin("PUT", "/broken/", [:]))
            try await team.expect(200, team.admin("GET", "/broken/"))
        }
    }
}
