import DocumentValues
import Foundation
import Testing

@testable import GatewayCore
@testable import GatewayServer

/// The last failure of a database's storage is in its status and in the metrics, for administrators.
@Suite(.timeLimit(.minutes(1))) struct StorageFaultStatusTests {
    @Test func anAdministratorSeesIt() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let name = "fieldbook_gateway_database_storage_faults_total"
            let paths = ["/db/", "/_status", "/_all_dbs?verbose=true"]
            for path in paths { #expect(try await !team.admin("GET", path).text.contains("storage_fault"), "\(path)") }
            let database = try #require(gateway.server.context.databases.database("db"))
            let detail = "SQLITE_IOERR disk I/O error"
            database.store.damage.note(StorageFailure(kind: .ioError, description: "disk I/O error", detail: detail))
            let time = try #require(database.storageFault?.json["time"])
            let fault: JSONValue = ["kind": "io_error", "time": time]
            #expect(try await team.admin("GET", "/db/").json?["storage_fault"] == fault)
            #expect(try await team.admin("GET", "/_status").json?["databases"]?["db"]?["storage_fault"] == fault)
            let all = try await team.admin("GET", "/_all_dbs?verbose=true").json?.arrayValue
            #expect(all?.first?["storage_fault"] == fault)
            #expect(try await !team.user("alice", "GET", "/db/").text.contains("storage_fault"))
            let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort).text
            #expect(metrics.contains("\(name){database=\"db\",kind=\"io_error\"} 1"))
            #expect(metrics.contains("\(name){database=\"db\",kind=\"damaged\"} 0"))
            var configuration = GatewayConfiguration(storagePath: gateway.folder.path)
            configuration.adminInterface = GatewayConfiguration.Interface(host: "127.0.0.1", port: gateway.adminPort)
            let status = try await GatewayStatus.read(configuration) { _ in "" }
            #expect(status.databases.first?.storageFault?.kind == "io_error")
        }
    }
}
