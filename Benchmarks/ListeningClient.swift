import BLIPProtocol
import BLIPTransport
import DocumentValues
import NIOCore
import NIOPosix
import Synchronization
import SyncProtocol

/// A continuous client that has caught up and is notified of every change; it declines the documents themselves.
final class ListeningClient: BLIPConnectionDelegate {
    private let connection: BLIPConnection
    private let audience: Audience

    init(port: Int, database: String, user: String, since: Int, audience: Audience) async throws {
        self.audience = audience
        let credentials = "Basic " + Base64.encode(Array("\(user):\(GatewayProcess.password)".utf8))
        connection = try await BLIPConnector.connect(
            BLIPClientConfiguration(
                url: "ws://127.0.0.1:\(port)/\(database)/_blipsync", authorization: credentials,
                connectTimeout: .seconds(60)),
            group: MultiThreadedEventLoopGroup.singleton)
        connection.start(delegate: self)
        var subscription = SubChanges(collection: nil)
        subscription.isContinuous = true
        subscription.since = String(since)
        connection.send([.request(subscription.request, tag: 0)])
    }

    func close() { connection.abort() }

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        for case .request(let message) in received {
            guard let changes = try? Changes(message) else { continue }
            if changes.rows.isEmpty { audience.hasCaughtUp() } else { audience.heard() }
            connection.send([
                .response(
                    to: message.number, properties: [:], body: .bytes(ByteBuffer(string: "[]")), isCompressed: false)
            ])
        }
    }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {}
}

/// All listeners together: how many have caught up, and when each was notified of the last change.
final class Audience: Sendable {
    private struct State {
        var ready = 0
        var heard: [ContinuousClock.Instant] = []
    }

    private let state = Mutex(State())

    /// Changes that were announced to the listeners.
    var heardChanges: Int { state.withLock { $0.heard.count } }

    func hasCaughtUp() { state.withLock { $0.ready += 1 } }
    func heard() { state.withLock { $0.heard.append(.now) } }

    func waitUntilReady(_ count: Int) async throws {
        try await wait { $0.ready >= count }
    }

    /// The times of the notices, once all have arrived.
    func waitForAll(_ count: Int) async throws -> [ContinuousClock.Instant] {
        try await wait { $0.heard.count >= count }
        return state.withLock { state in
            defer { state.heard = [] }
            return state.heard
        }
    }

    private func wait(_ isDone: (State) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !state.withLock({ isDone($0) }) {
            guard ContinuousClock.now < deadline else { throw BenchmarkFailure("not all listeners heard of a change") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

/// Many listeners on one database, a thousand of one user.
struct Listeners {
    private static let clientsOfUser = 1_000
    let audience: Audience
    private let clients: [ListeningClient]

    /// Makes the users of so many listeners; the first of them is there already.
    ///
    /// A user who is made after the documents gets all of them, whatever sequence the client names: the channel is new to it.
    static func makeUsers(for count: Int, on gateway: GatewayProcess, _ database: String) throws {
        for number in 1..<max(1, (count + clientsOfUser - 1) / clientsOfUser) {
            try gateway.makeUser(user(number), in: database)
        }
    }

    private static func user(_ number: Int) -> String {
        number == 0 ? GatewayProcess.user : "\(GatewayProcess.user)\(number)"
    }

    /// Connects so many at a time that the gateway's queue of connections holds them.
    init(_ count: Int, on gateway: GatewayProcess, _ database: String, since: Int) async throws {
        let audience = Audience()
        var clients: [ListeningClient] = []
        let port = gateway.publicPort
        while clients.count < count {
            let portion = min(100, count - clients.count)
            let user = Self.user(clients.count / Self.clientsOfUser)
            clients += try await Self.connect(portion, port: port, database, user: user, since: since, audience)
        }
        self.audience = audience
        self.clients = clients
        try await audience.waitUntilReady(count)
    }

    func close() { for client in clients { client.close() } }

    private static func connect(
        _ count: Int, port: Int, _ database: String, user: String, since: Int, _ audience: Audience
    ) async throws -> [ListeningClient] {
        try await withThrowingTaskGroup(of: ListeningClient.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await ListeningClient(
                        port: port, database: database, user: user, since: since, audience: audience)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
