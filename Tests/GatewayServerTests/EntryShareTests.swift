import BLIPTransport
import DocumentValues
import Logging
import NIOCore
import Testing

@testable import GatewayCore
@testable import GatewayServer

/// No account takes all connections of a port, or all requests that may be in flight.
@Suite(.timeLimit(.minutes(2))) struct EntryShareTests {
    private static func entries(total: Int = 12, log: LogLines = LogLines()) -> EntryShares {
        EntryShares(
            of: "connections", total: total, ofUser: 2, ofAddress: 4,
            logger: Logger(label: "test") { label in
                ConsoleLogHandler(label: label, level: ConsoleLevel(.info), format: .text, redaction: Redaction(.none))
                {
                    log.add($0)
                }
            })
    }

    /// Connections of one address of which those that are signed in count on their users.
    @Test func aPassGoesToWhoSignsIn() throws {
        let (log, office) = (LogLines(), Name("address/office"))
        let entries = Self.entries(log: log)
        do {
            var passes = try (0..<4).map { _ in try EntryPass(entries, address: office) }
            #expect(throws: GatewayError.self) { try EntryPass(entries, address: office) }
            for pass in passes.prefix(2) { try pass.charge(to: "user/db/ann") }
            passes.append(try EntryPass(entries, address: office))
            // Ann has her share; the connection stays with its address.
            #expect { try passes[4].charge(to: "user/db/ann") } throws: { "\($0)".contains("503 Too many connections") }
            #expect(entries.taken == 5)
            try passes[4].charge(to: "user/db/bob")
            try passes[4].charge(to: "user/db/bob")
            #expect(entries.taken == 5)
        }
        #expect(entries.taken == 0)
        #expect(log.all.count { $0.contains("user/db/ann") && $0.contains("of one account") } == 1, "\(log.all)")
    }

    /// However many accounts there are, another one is still admitted.
    @Test func somethingIsLeftForTheNext() throws {
        let entries = Self.entries()
        var passes: [EntryPass] = []
        for address in ["a", "b", "c"] {
            while let pass = try? EntryPass(entries, address: Name("address/\(address)")) { passes.append(pass) }
        }
        #expect(passes.count < 12)
        let pass = try EntryPass(entries, address: "address/d")
        try pass.charge(to: "user/db/dora")
    }

    /// An address that has not too many is not named as the cause.
    @Test(arguments: [(total: 12, of: " of one address"), (total: 4, of: "")])
    func theAnswerSaysOfWhomThereAreTooMany(total: Int, of whom: String) throws {
        let entries = Self.entries(total: total)
        var passes: [EntryPass] = []
        let refusal = #expect(throws: GatewayError.self) {
            while true { passes.append(try EntryPass(entries, address: "address/office")) }
        }
        let answer = GatewayChannel.answer(to: try #require(refusal))
        #expect(answer.hasSuffix("\r\n\r\nToo many connections\(whom) at once; try again later\n"))
    }

    // MARK: - A gateway

    private static func bounds(_ change: (inout GatewayBounds) -> Void) -> GatewayBounds {
        var bounds = GatewayBounds()
        change(&bounds)
        return bounds
    }

    private static let upgrade = """
        Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n
        """

    /// One handshake, and the connection that it is answered on.
    private static func handshake(_ user: String, _ gateway: TestGateway, on path: String) async throws -> RawAnswer {
        let (name, value) = TestTeam.basic(user)
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(name): \(value)\r\n\(upgrade)"
        return try await RawClient.onSocket(port: gateway.publicPort) { socket in
            try socket.send(Array(head.utf8))
            return try socket.head()
        }
    }

    @Test func silentSyncConnectionsOfOneUserLeaveThePortToOthers() async throws {
        try await TestGateway.run(bounds: Self.bounds { $0.connectionsOfUser = 3 }) { gateway in
            let team = try await TestTeam(gateway)
            var silent: [HostileSync] = []
            for _ in 0..<3 { silent.append(try await HostileSync(gateway, user: "alice")) }
            for path in ["/db/_blipsync", "\(TestTeam.collection)/_changes?feed=websocket"] {
                let refused = try await Self.handshake("alice", gateway, on: path)
                #expect(refused.status == 503, "\(path)")
                #expect(refused.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
            }
            let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
            #expect(metrics.text.contains("sgw_database_num_replications_rejected_limit{database=\"db\"} 1"))
            // What she asks for otherwise is answered, and others get in.
            try await team.expect(200, team.user("alice", "GET", "/db/"))
            #expect(try await Self.handshake("bob", gateway, on: "/db/_blipsync").status == 101)
            silent.removeLast().connection.abort()
            // The gateway hears of the end in its own time.
            var status = 503
            while status == 503 { status = try await Self.handshake("alice", gateway, on: "/db/_blipsync").status }
            #expect(status == 101)
        }
    }

    @Test func connectionsOfOneAddressAreCountedUntilSomebodySignsIn() async throws {
        try await TestGateway.run(bounds: Self.bounds { $0.connectionsOfAddress = 3 }) { gateway in
            _ = try await TestTeam(gateway)
            var synced: [HostileSync] = []
            for _ in 0..<5 { synced.append(try await HostileSync(gateway, user: "alice")) }
            let refused = try await RawClient.onSocket(port: gateway.publicPort) { first in
                let others = try (0..<2).map { _ in try RawSocket(port: gateway.publicPort) }
                // Each is known to the gateway when it has answered.
                for socket in [first] + others {
                    try socket.send(Array("GET /_ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
                    _ = try socket.answer(isHead: false)
                }
                let last = try RawSocket(port: gateway.publicPort)
                let answer = try last.answer(isHead: false)
                withExtendedLifetime(others) {}
                return answer
            }
            #expect(refused.status == 503 && refused.text.contains("one address"))
            #expect(refused.header("Retry-After") != nil)
            withExtendedLifetime(synced) {}
        }
    }

    // MARK: - The other ports

    /// Who opens connections and asks for nothing keeps no administrator out.
    @Test(arguments: ["admin", "metrics"]) func theOldestWithoutARequestGivesWay(port name: String) async throws {
        try await TestGateway.run(bounds: Self.bounds { $0.unfinishedOfAdministrators = 3 }) { gateway in
            let port = name == "admin" ? gateway.adminPort : gateway.metricsPort
            let status = try await RawClient.onSocket(port: port) { first in
                func ask() throws -> Int {
                    let asking = try RawSocket(port: port)
                    try asking.send(Array("GET /_ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
                    return try asking.answer(isHead: false).status
                }
                // The first, which says nothing, is known to the gateway when the next has its answer.
                _ = try ask()
                var others: [RawSocket] = []
                for _ in 0..<3 {
                    let other = try RawSocket(port: port)
                    try other.send(Array("GET / HTTP/1.1\r\nHost: 127.".utf8))
                    others.append(other)
                }
                #expect(try first.read(to: "\n") == nil, "the gateway has closed it")
                let status = try ask()
                withExtendedLifetime(others) {}
                return status
            }
            #expect(status != 503 && status > 0)
        }
    }

    /// The machine's own programs have one address between them.
    @Test(
        arguments: [
            ("192.0.2.7", .admin, false), ("192.0.2.7", .metrics, false), ("fd00::1", .admin, false),
            ("127.0.0.1", .admin, true), ("127.8.9.1", .metrics, true), ("::1", .admin, true),
            ("127.0.0.1", .publicAPI, false),
        ] as [(String, GatewayPort, Bool)])
    func oneAddressHasItsShareOfAPort(address: String, port: GatewayPort, isFree: Bool) throws {
        let bounds = Self.bounds {
            $0.connectionsOfNeighbour = 3
            $0.connectionsOfAddress = 3
        }
        let entries = PortEntries(to: port, accepted: 40, bounds: bounds, logger: Logger(label: "test"))
        let peer = try SocketAddress(ipAddress: address, port: 4_000)
        let passes = try (0..<3).map { _ in try entries.pass(from: peer) }
        #expect(passes.allSatisfy { ($0 == nil) == isFree })
        if !isFree { #expect(throws: GatewayError.self) { try entries.pass(from: peer) } }
    }

    @Test func waitingFeedsOfOneUserLeaveRequestsToOthers() async throws {
        try await TestGateway.run(bounds: Self.bounds { $0.requestsOfUser = 2 }) { gateway in
            let team = try await TestTeam(gateway)
            let (name, value) = TestTeam.basic("alice")
            let feed = "GET \(TestTeam.collection)/_changes?feed=continuous&timeout=60000 HTTP/1.1\r\n"
            let statuses = try await RawClient.onSocket(port: gateway.publicPort) { first in
                let sockets =
                    [first] + [try RawSocket(port: gateway.publicPort), try RawSocket(port: gateway.publicPort)]
                let statuses = try sockets.map { socket in
                    try socket.send(Array("\(feed)Host: 127.0.0.1\r\n\(name): \(value)\r\n\r\n".utf8))
                    return try socket.head().status
                }
                let bob = try RawSocket(port: gateway.publicPort)
                let (name, value) = TestTeam.basic("bob")
                try bob.send(Array("GET /db/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\(name): \(value)\r\n\r\n".utf8))
                return statuses + [try bob.head().status]
            }
            #expect(statuses == [200, 200, 503, 200])
            try await team.expect(200, team.user("bob", "GET", "/db/"))
        }
    }
}
