import BLIPTransport
import DocumentValues
import Foundation
import GatewayCore
@testable import GatewayServer
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

/// A handshake that is refused is examined again by the routes. If the reason has passed between the two, the client is not
/// given an answer that it takes as final.
@Suite(.serialized) struct ChangedHandshakeTests {
    struct Answer: Equatable {
        let status: Int
        let saysWhenToRetry: Bool

        static let later = Answer(status: 503, saysWhenToRetry: true)
        static let signIn = Answer(status: 401, saysWhenToRetry: false)
    }

    private static let path = "/db/_blipsync"
    private static let headers = [
        TestTeam.basic("alice"), ("Host", "127.0.0.1"), ("Connection", "Upgrade"), ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Sec-WebSocket-Protocol", "BLIP_3+CBMobile_3"),
    ]

    /// Examines a right handshake of alice as a new connection does, and after `change` as the routes do.
    private static func answer(
        of gateway: TestGateway, afterRefusal change: () async throws -> Void
    ) async throws -> Answer {
        let context = gateway.server.context
        let channel = NIOAsyncTestingChannel()
        let port = GatewayChannel(
            responder: { _, _, _ in }, port: .publicAPI, gateway: context, certificate: nil,
            connections: PortEntries(
                to: .publicAPI, accepted: 10, bounds: GatewayBounds(), logger: context.logger))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: HTTPHeaders(headers))
        let decision = await port.authorize(
            head, of: ClientConnection(from: nil), channel: channel, pass: nil,
            admission: GatewayChannel.Admission(pieces: PieceOwner(context.pieces["address"])))
        guard case .passOn = decision else { throw RawError(description: "it was not refused: \(decision)") }
        try await change()
        var request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path)
        for (name, value) in headers where name != "Host" {
            request.headerFields[try #require(HTTPField.Name(name))] = value
        }
        let response = try await GatewayResponder(port: .publicAPI, gateway: context).respond(
            to: Request(head: request, body: RequestBody(buffer: ByteBuffer())),
            context: ConnectionContext(
                source: ApplicationRequestContextSource(channel: channel, logger: context.logger)))
        return Answer(
            status: response.status.code, saysWhenToRetry: response.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
    }

    private static func run(
        _ body: @escaping @Sendable (TestGateway, TestTeam) async throws -> Void
    ) async throws {
        try await TestGateway.run({ $0.replication.connections = 1 }) { gateway in
            try await body(gateway, try await TestTeam(gateway))
        }
    }

    private static func turn(_ team: TestTeam, to state: String) async throws {
        try team.expect(200, try await team.admin("POST", "/db/_\(state)"))
    }

    private static func disable(_ team: TestTeam, _ isDisabled: Bool) async throws {
        let access: JSONValue = ["field": ["inspections": ["admin_channels": ["north"]]]]
        let user: JSONValue = [
            "password": "pass", "disabled": .bool(isDisabled), "collection_access": access,
        ]
        try team.expect(200, try await team.admin("PUT", "/db/_user/alice", user))
    }

    @Test(.timeLimit(.minutes(1))) func aDatabaseThatComesBackIsTriedAgain() async throws {
        try await Self.run { gateway, team in
            try await Self.turn(team, to: "offline")
            let answer = try await Self.answer(of: gateway) { try await Self.turn(team, to: "online") }
            #expect(answer == .later)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aSlotThatIsReleasedIsTriedAgain() async throws {
        try await Self.run { gateway, _ in
            var slot: ReplicationSlots.Slot? = try gateway.server.context.replications.take()
            let answer = try await Self.answer(of: gateway) { slot = nil }
            #expect(answer == .later && slot == nil)
        }
    }

    /// The refusal of a sign-in is repeated: the password is not checked again.
    @Test(.timeLimit(.minutes(1))) func aUserWhoComesBackSignsInAgain() async throws {
        try await Self.run { gateway, team in
            try await Self.disable(team, true)
            let answer = try await Self.answer(of: gateway) { try await Self.disable(team, false) }
            #expect(answer == .signIn)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theOtherReasonCountsThatCameSince() async throws {
        try await Self.run { gateway, team in
            try await Self.turn(team, to: "offline")
            let answer = try await Self.answer(of: gateway) {
                try await Self.disable(team, true)
                try await Self.turn(team, to: "online")
            }
            #expect(answer == .signIn)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theRefusalOfASignInIsKept() async throws {
        try await Self.run { gateway, team in
            try await Self.disable(team, true)
            let answer = try await Self.answer(of: gateway) {
                try await Self.turn(team, to: "offline")
                try await Self.disable(team, false)
            }
            #expect(answer == .signIn)
        }
    }

    /// On the admin port, too, a wrong password counts once.
    @Test(.timeLimit(.minutes(1))) func whatIsKeptIsTheAnswer() async throws {
        try await Self.run { gateway, _ in
            let context = gateway.server.context
            let channel = NIOAsyncTestingChannel()
            context.handshakes.note(GatewayError.loginRequired, of: channel)
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: Self.path)
            var request = GatewayRequest(head, port: .admin, client: "local", memory: context.memory)
            request.handshake = context.handshakes.take(of: channel)
            let login = Login(request: request, gateway: context)
            await #expect(throws: GatewayError.loginRequired) {
                _ = try await login.resolve("db", isOpenToAnybody: false)
            }
            #expect(context.handshakes.take(of: channel) == nil)
        }
    }
}
