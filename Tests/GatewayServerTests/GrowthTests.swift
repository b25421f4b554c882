import Foundation
import HTTPTypes
import Testing
import WorkCount

@testable import GatewayServer

/// No request costs more than in proportion to its size: n, 2n and 4n of everything that a request may have many of.
@Suite(.serialized, .timeLimit(.minutes(15))) struct GrowthTests {
    /// What a route has no case for, and why.
    private static let exempt: [String: String] = {
        let reasons: [(String, [String])] = [
            (
                "takes nothing, and answers with what is there once",
                [
                    "GET server ", "GET server _ping", "GET server _config", "GET server _logging",
                    "GET server _cluster_info", "GET server _sgcollect_info", "POST server _post_upgrade",
                    "GET database ", "GET database _config", "GET database _config/audit",
                    "GET configuredCollection _config/sync", "DELETE configuredCollection _config/sync",
                    "GET configuredCollection _config/import_filter",
                    "DELETE configuredCollection _config/import_filter", "POST database _offline",
                    "POST database _online", "POST database _ensure_full_commit", "GET database _resync",
                    "GET database _compact", "GET database _replication", "GET database _replication/*",
                    "DELETE database _replication/*", "GET database _replicationStatus",
                    "GET database _replicationStatus/*", "PUT database _replicationStatus/*",
                    "DELETE collection _local/*", "DELETE database _session", "GET database _session/*",
                    "DELETE database _session/*", "DELETE database _user/*/_session/*",
                ]
            ),
            (
                "answers with a line for each database, which administrators make",
                ["GET server _all_dbs", "GET server _status", "GET server _expvar"]
            ),
            (
                "reads one member of a body that JSON's cases measure",
                [
                    "PUT server _logging", "POST server _logging", "PUT database _config/audit",
                    "POST database _config/audit",
                ]
            ),
            ("has at most as many rows as GatewayLimits says", ["GET database _refusals", "GET database _sign_ins"]),
            ("has at most as many lines as the database's `revs_limit` says", ["GET collection _revtree/*"]),
            ("begins what goes on without it", ["POST database _resync", "POST database _compact"]),
            ("is what the messages below come over", ["GET database _blipsync"]),
            ("is the same as sync", ["PUT configuredCollection _config/import_filter"]),
            ("lists names as _role does", ["GET database _user"]),
        ]
        return Dictionary(
            reasons.flatMap { reason, routes in routes.map { ($0, reason) } }, uniquingKeysWith: { first, _ in first })
    }()

    /// A new route needs a case, or a reason to have none.
    @Test func everyRouteHasACase() {
        let offered = RouteTable.all.filter { route in
            // Those that are answered with 501 look at nothing.
            !NotOffered.routes.contains { $0.method == route.method && $0.pattern == route.pattern }
        }
        let routes = Set(offered.map { "\($0.method.rawValue) \($0.root) \($0.pattern.joined(separator: "/"))" })
        let measured = Set(GrowthCase.all.map(\.route))
        #expect(measured.subtracting(routes).isEmpty)
        #expect(Set(Self.exempt.keys).subtracting(routes).isEmpty)
        #expect(routes.subtracting(measured).subtracting(Self.exempt.keys).sorted() == [])
        #expect(measured.intersection(Self.exempt.keys).isEmpty)
    }

    @Test func requestsGrowWithTheirSize() async throws {
        Growth.countSQLite()
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            for one in GrowthCase.all {
                let growth = try await Growth.of(one.size) { size in
                    for request in one.setUp(size) { _ = try await request.send(team) }
                    return (one.path(size), one.headers(size), Array(one.body(size).utf8))
                } work: { path, headers, body in
                    let port = one.sender == .administrator ? gateway.adminPort : gateway.publicPort
                    let login = one.sender == .alice ? [TestTeam.basic("alice")] : []
                    let answer = try await RawClient.request(
                        one.method, path, port: port, headers: login + headers + [("Content-Type", one.type)],
                        body: body.isEmpty ? nil : body)
                    #expect(answer.status == one.status, "\(one.name): \(answer.text.prefix(200))")
                }
                #expect(!growth.isSquare, "\(one.name): \(growth)")
            }
        }
    }
}
