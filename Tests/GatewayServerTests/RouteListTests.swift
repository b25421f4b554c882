import Foundation
@testable import GatewayServer
import HTTPTypes
import Testing

/// The table of routes in docs/gateway.md has those of the gateway, and no others.
@Suite struct RouteListTests {
    struct Row: Hashable, CustomStringConvertible {
        let method: String
        /// With a `*` for each variable part behind the database or collection.
        let path: String
        let port: String
        let requester: String

        var description: String { "\(method) \(path) (\(port), \(requester))" }
    }

    private static func requester(_ access: Route.Access) -> String {
        switch access {
        case .anybody: "all"
        case .user: "users"
        case .admin: "administrators"
        }
    }

    private static func row(_ route: Route) -> Row {
        let root =
            switch route.root {
            case .server: "/"
            case .database: "/{db}/"
            case .collection, .configuredCollection: "/{keyspace}/"
            }
        return Row(
            method: route.method.rawValue, path: root + route.pattern.joined(separator: "/"),
            port: route.access == .admin ? "admin" : "both", requester: requester(route.access))
    }

    /// Those of a database that need not exist are outside of the table of routes (`DatabaseLife`).
    private static let life = ["PUT", "DELETE"].map {
        Row(method: $0, path: "/{db}/", port: "admin", requester: "administrators")
    }

    private static func metrics() -> [Row] {
        MetricsPage.allCases.map {
            Row(method: "GET", path: "/" + $0.rawValue, port: "metrics", requester: requester($0.access))
        }
    }

    /// The rows of the page, each with its last column.
    private static func documented() throws -> [(row: Row, purpose: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/gateway.md"), encoding: .utf8)
        let rest = try #require(page.components(separatedBy: "\n## Routes\n").last)
        let lines = rest.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        return lines.flatMap { line -> [(row: Row, purpose: String)] in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5 else { return [] }
            let names = cells[1].dropFirst().dropLast().split(separator: "/", omittingEmptySubsequences: false)
            let path = names.map { $0.hasPrefix("{") && !["{db}", "{keyspace}"].contains($0) ? "*" : String($0) }
            return cells[0].matches(of: /[A-Z]+/).map { method -> (row: Row, purpose: String) in
                let row = Row(
                    method: String(method.output), path: path.joined(separator: "/"), port: cells[2],
                    requester: cells[3])
                return (row, cells[4])
            }
        }
    }

    @Test func thePageHasEachRouteOnce() throws {
        let routes = RouteTable.all.map(Self.row) + Self.life + Self.metrics()
        let rows = try Self.documented().map(\.row)
        let missing = Set(routes).subtracting(rows).map(\.description).sorted()
        #expect(missing.isEmpty, "not in docs/gateway.md: \(missing)")
        let others = Set(rows).subtracting(routes).map(\.description).sorted()
        #expect(others.isEmpty, "not a route: \(others)")
        #expect(rows.count == Set(rows).count && rows.count > 100)
    }

    @Test func thePageNamesWhatIsNotOffered() throws {
        let rows = try Self.documented().filter { $0.purpose.contains("not offered") }.map(\.row)
        #expect(Set(rows) == Set(NotOffered.routes.map(Self.row)))
    }
}
