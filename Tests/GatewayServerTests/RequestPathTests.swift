import DocumentValues
@testable import GatewayServer
import NIOCore
import Testing

/// What is done for each request, without a gateway.
@Suite struct RequestPathTests {
    @Test(arguments: [
        ("Basic YW5uOnBhc3M=", "ann", "pass"),
        ("bASIC  \t YW5uOnBhOnNz \t", "ann", "pa:ss"), ("basic YW5uOg==", "ann", ""),
    ])
    func credentialsAreRead(header: String, name: String, password: String) {
        let credentials = Login.basicCredentials(header)
        #expect(credentials?.name == name && credentials?.password == password)
    }

    @Test(arguments: [
        "", "Basic", "Basic ", "Basic \t", "BasicYW5uOnBhc3M=", "Bearer YW5uOnBhc3M=", "Basic !", "Basic OnBhc3M=",
    ])
    func whatIsNoneIsNone(header: String) { #expect(Login.basicCredentials(header) == nil) }

    /// The table is searched by the length of a path, and by whether it begins with an underscore.
    @Test func eachRouteIsFoundByItsPath() {
        for route in RouteTable.all {
            let path = route.pattern.map { Substring($0 == "*" ? "x" : $0) }
            let keyspace = route.root == .server ? nil : Keyspace("db")
            let found = RouteTable.routes(behind: keyspace, rest: path[...])
            let isFound = found.contains {
                $0.method == route.method && $0.root == route.root && $0.match(path[...]) != nil
            }
            #expect(isFound, "\(route.method) \(route.pattern)")
        }
    }

    @Test func namesWithAnUnderscoreAreNoDocuments() {
        for path in [["_x"], ["%5Fx"], ["_x", "a"]] {
            let rest = path.map { Substring($0) }
            let found = RouteTable.routes(behind: Keyspace("db"), rest: rest[...])
            #expect(!found.contains { $0.match(rest[...]) != nil }, "\(path)")
        }
    }

    @Test func theRequestsOfAConnectionShareItsFacts() throws {
        let peer = try SocketAddress(ipAddress: "192.0.2.7", port: 1)
        let connection = ClientConnection(from: peer)
        #expect(connection.address == "192.0.2.7" && connection.account == "address/192.0.2.7")
        let configuration = GatewayConfiguration(storagePath: "/tmp")
        var looks = 0
        func forwarded() -> [String] {
            looks += 1
            return ["198.51.100.1"]
        }
        for port in [GatewayPort.publicAPI, .admin] {
            let client = configuration.client(of: connection, forwarded: forwarded(), port: port)
            #expect(client == "192.0.2.7")
        }
        #expect(looks == 0, "no proxy is trusted")
    }
}
