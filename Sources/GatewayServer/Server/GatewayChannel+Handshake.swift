import BLIPTransport
import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import NIOCore
import NIOHTTP1
import SyncProtocol

/// The decision on a handshake, before the connection has any other purpose.
extension GatewayChannel {
    /// Admits a sync client or a reader of changes if database, credentials and protocol are right; all other requests
    /// go to the HTTP routes, which refuse them with the right status.
    func authorize(
        _ head: HTTPRequestHead, of connection: ClientConnection, channel: any Channel, pass: EntryPass?,
        admission: Admission
    ) async -> BLIPUpgradeDecision {
        let client = gateway.configuration.client(
            of: connection, forwarded: head.headers[HTTPField.Name.forwardedFor.rawName], port: port)
        let request = GatewayRequest(head, port: port, client: client, memory: gateway.memory)
        guard request.components.count == 2 else { return .passOn }
        do {
            try request.checkTexts()
            let keyspace = Keyspace(GatewayRequest.decoded(request.components[0]))
            switch request.components[1] {
            case "_blipsync":
                guard let version = SyncSubprotocol.selected(from: BLIPServerUpgrade.offeredSubprotocols(head)),
                    !keyspace.namesCollection
                else { return .passOn }
                return try await admit(request, name: keyspace.database, pass: pass, admission: admission) { _ in
                    .sync(version)
                }
            case "_changes" where request.query["feed"] == "websocket":
                try keyspace.check()
                // Before the sign-in the rest of the query is not read. The route answers its errors.
                return try await admit(request, name: keyspace.database, pass: pass, admission: admission) { database in
                    .feed(try keyspace.collection(in: database), try FeedSocket.Filter(query: request.query))
                }
            default: return .passOn
            }
        } catch {
            gateway.handshakes.note(error, of: channel)
            return .passOn
        }
    }

    private func admit(
        _ request: GatewayRequest, name: String, pass: EntryPass?, admission: Admission,
        for purpose: (GatewayDatabase) throws -> Admission.Purpose
    ) async throws -> BLIPUpgradeDecision {
        try BrowserGuard.check(request, configuration: gateway.configuration)
        try CrossOrigin.checkWebSocket(request, gateway: gateway)
        let login = Login(request: request, gateway: gateway)
        let outcome = try await login.resolve(name, isOpenToAnybody: false)
        let (database, requester) = (outcome.database, outcome.requester)
        guard let authorization = outcome.authorization else { throw GatewayError.loginRequired }
        guard database.state == .online else { throw GatewayError.underMaintenance }
        let purpose = try purpose(database)
        let account = gateway.account(of: requester, in: database, request)
        let slot: ReplicationSlots.Slot?
        do throws(GatewayError) {
            try pass?.charge(to: account)
            slot = try self.slot(for: purpose)
        } catch {
            if case .sync = purpose { gateway.metrics.syncConnectionRefused(database.name) }
            throw HandshakeRefusals.Final(error)
        }
        let device = try await login.newDeviceCookie(of: requester, in: database)
        // Nothing below fails: a refused client holds no slot, and no sign-in of it is noted.
        login.note(requester, in: database)
        admission.pieces.change(to: gateway.pieces[account])
        let correlation = String(format: "%08x", UInt32.random(in: .min ... .max))
        admission.admit(
            Admission.Guest(
                database: database, requester: requester, authorization: authorization, purpose: purpose,
                correlation: correlation, agent: request.agent,
                client: request.client, account: account,
                slot: slot))
        var headers = Self.headers(of: purpose, correlation: correlation)
        headers += (outcome.headers + device).map { ($0.name.rawName, $0.value) }
        return Self.acceptance(of: purpose, headers: headers)
    }

    private func slot(for purpose: Admission.Purpose) throws(GatewayError) -> ReplicationSlots.Slot? {
        switch purpose {
        case .sync: try gateway.replications.take()
        case .feed: nil
        }
    }

    /// With the date, so that a laptop can notice that its clock is wrong.
    private static func headers(
        of purpose: Admission.Purpose, correlation: String
    ) -> [(name: String, value: String)] {
        let general = [
            (name: "Server", value: GatewayIdentity.serverHeader),
            (name: "Date", value: HTTPDate.text(Int64(Date().timeIntervalSince1970))),
        ]
        return switch purpose {
        case .sync: general + [(name: "X-Correlation-Id", value: correlation)]
        case .feed: general
        }
    }

    private static func acceptance(
        of purpose: Admission.Purpose, headers: [(name: String, value: String)]
    ) -> BLIPUpgradeDecision {
        switch purpose {
        case .sync(let version): .accept(subprotocol: version.rawValue, headers: headers)
        case .feed: .acceptMessages(headers: headers)
        }
    }
}
