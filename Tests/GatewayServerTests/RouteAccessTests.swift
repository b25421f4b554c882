import DocumentValues
import Foundation
@testable import GatewayServer
import HTTPTypes
import Testing

/// The route table, held line by line: who is let in where.
@Suite(.serialized) struct RouteAccessTests {
    private static func path(_ route: Route) -> String {
        let rest = route.pattern.map { $0 == "*" ? "x" : $0 }.joined(separator: "/")
        switch route.root {
        case .server: return "/" + rest
        case .database: return "/db/" + rest
        case .collection, .configuredCollection: return "\(TestTeam.collection)/" + rest
        }
    }

    @Test(.timeLimit(.minutes(2))) func everyRouteAsksForWhatItSays() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            for route in RouteTable.all {
                let path = Self.path(route)
                let method = route.method.rawValue
                let answer = try await RawClient.request(method, path, port: gateway.publicPort, body: Array("{}".utf8))
                switch route.access {
                case .admin:
                    // Some have a twin for users, or another method for them.
                    #expect([401, 404, 405].contains(answer.status), "\(method) \(path): \(answer.status)")
                case .user: #expect(answer.status == 401, "\(method) \(path): \(answer.status)")
                case .anybody where method == "POST" && path.hasSuffix("/_session"):
                    #expect(answer.status == 401, "signing in without a name: \(answer.status)")
                case .anybody:
                    #expect(answer.status < 500 && answer.status != 401, "\(method) \(path): \(answer.status)")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(2))) func theAdminPortAsksForAnAdministrator() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("admins-\(UUID().uuidString)")
        try Administrators.set("root", password: "rootpass", storage: folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestGateway.run {
            $0.adminAuthentication = true
            $0.metricsAuthentication = true
            $0.storagePath = folder.path
        } _: { gateway in
            func status(_ method: String, _ path: String, _ port: Int, _ header: (String, String)?) async throws -> Int
            {
                try await RawClient.request(
                    method, path, port: port, headers: header.map { [$0] } ?? [], body: Array("{}".utf8)
                ).status
            }
            let right = TestTeam.basic("root", "rootpass")
            #expect(try await status("PUT", "/db/", gateway.adminPort, right) == 201)
            let wrong: [(String, String)?] = [
                nil, TestTeam.basic("root", "wrong"), TestTeam.basic("nobody", "rootpass"),
                ("Authorization", "Basic x"),
                ("Authorization", "Bearer " + String(repeating: "0", count: 64)), ("Authorization", "Bearer "),
                TestTeam.basic("", ""),
            ]
            for header in wrong {
                #expect(try await status("PUT", "/db2/", gateway.adminPort, header) == 401)
                #expect(try await status("DELETE", "/db/", gateway.adminPort, header) == 401)
                #expect(try await status("GET", "/metrics", gateway.metricsPort, header) == 401)
            }
            // With wrong credentials it is the same as without, and guessing is slowed down.
            for route in RouteTable.all where route.root != .server || route.access == .admin {
                let path = Self.path(route).replacing(TestTeam.collection, with: "/db")
                let answer = try await status(route.method.rawValue, path, gateway.adminPort, nil)
                #expect(answer == 401, "\(route.method) \(path): \(answer)")
            }
            #expect(try await status("GET", "/metrics", gateway.metricsPort, right) == 200)
            #expect(try await status("GET", "/_all_dbs", gateway.adminPort, right) == 200)
            let token = try String(contentsOfFile: folder.path + "/local-administrator", encoding: .utf8)
            #expect(
                try await status("GET", "/_all_dbs", gateway.adminPort, ("Authorization", "Bearer \(token)")) == 200)
        }
    }

    @Test(.timeLimit(.minutes(1))) func metricsCountWhatHappens() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.user("alice", "GET", "/db/")
            let answer = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
            #expect(answer.header("Content-Type")?.hasPrefix("text/plain") == true)
            #expect(answer.text.contains(#"fieldbook_gateway_requests_total{port="public",status="200"} 1"#))
            #expect(try await RawClient.request("GET", "/db/", port: gateway.metricsPort).status == 404)
        }
    }
}
