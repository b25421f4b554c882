import BLIPProtocol
import BLIPTransport
import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
import NIOWebSocket
import ServiceLifecycle
import SyncProtocol
import Synchronization

/// One accepted connection: HTTP, or a sync session after an upgrade.
struct GatewayChannel: ServerChildChannel, HTTPChannelHandler {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiation: EventLoopFuture<BLIPServerNegotiation<HTTP1Channel.Value>>
        let admission: Admission
        let client: ClientConnection
        let entry: Entry
    }

    enum Entry: Sendable {
        /// `nil` if it is not counted.
        case admitted(EntryPass?)
        /// There are too many connections.
        case refused(GatewayError)
    }

    /// Carries the results of the admission to the session that follows.
    final class Admission: Sendable {
        struct Guest: Sendable {
            let database: GatewayDatabase
            let requester: Requester
            let authorization: RequestAuthorization
            let purpose: Purpose
            /// Names the connection in the logs of both sides.
            let correlation: String
            /// The client's user agent.
            let agent: String
            let client: String
            /// The account for the memory of the connection.
            let account: Name
            /// `nil` for a connection that is no sync.
            let slot: ReplicationSlots.Slot?
        }

        enum Purpose: Sendable {
            case sync(SyncSubprotocol)
            /// The changes of a collection.
            case feed(CollectionName, FeedSocket.Filter)
        }

        let pieces: PieceOwner
        private let guest = Mutex<Guest?>(nil)
        private let negotiated = Mutex(false)

        init(pieces: PieceOwner) { self.pieces = pieces }

        /// Whether the purpose of the connection is known.
        var isNegotiated: Bool { negotiated.withLock { $0 } }

        func noteNegotiated() { negotiated.withLock { $0 = true } }

        func admit(_ guest: Guest) { self.guest.withLock { $0 = guest } }

        func take() -> Guest? { guest.withLock { $0.take() } }
    }

    let responder: HTTPChannelHandler.Responder
    let port: GatewayPort
    let gateway: GatewayContext
    let certificate: ServerCertificate?
    /// The connections of the port, by account.
    let connections: PortEntries

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let http = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: GatewayServerLimits.silence))
        let client = ClientConnection(from: channel.remoteAddress)
        let admission = Admission(pieces: PieceOwner(gateway.pieces[client.account]))
        let pass: EntryPass?
        do throws(GatewayError) {
            pass = try connections.pass(from: channel.remoteAddress)
        } catch {
            // It is logged, and `handle` answers it.
            return channel.eventLoop.makeSucceededFuture(
                Value(
                    channel: channel, negotiation: channel.eventLoop.makeSucceededFuture(.closed),
                    admission: admission, client: client, entry: .refused(error)))
        }
        var limits = BLIPLimits()
        if let level = gateway.configuration.replication.compressionLevel { limits.compression.level = level }
        return channel.eventLoop.makeCompletedFuture {
            if let context = certificate?.context {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
            let negotiation = BLIPServerUpgrade.configure(
                channel: channel, limits: limits, pace: gateway.memory.pace,
                readingLimit: gateway.memory.readingLimit,
                memory: ConnectionMemory(AccountShares.Holder(gateway.memory.arriving, account: client.account)),
                pieces: admission.pieces,
                authorize: { head in
                    await authorize(head, of: client, channel: channel, pass: pass, admission: admission)
                },
                plain: { channel in Self.setup(http, on: channel, of: client, logger: logger) })
            if let unfinished = connections.unfinished {
                unfinished.add(channel)
                negotiation.whenComplete { _ in unfinished.remove(channel) }
            }
            return Value(
                channel: channel, negotiation: negotiation, admission: admission, client: client,
                entry: .admitted(pass))
        }
    }

    /// A connection that stays one of HTTP.
    private static func setup(
        _ http: HTTP1Channel, on channel: any Channel, of client: ClientConnection, logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            try LongTextRefusal.add(to: pipeline)
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(HTTP1Compatibility(client), position: .before(codec))
            if let counter = PieceCounter(in: pipeline, weight: GatewayServerLimits.framesOfPart) {
                try pipeline.addHandler(counter, position: .before(codec))
            }
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch value.entry {
        case .refused(let refusal): refuse(value.channel, with: refusal)
        case .admitted(let pass):
            await serve(value, logger: logger)
            withExtendedLifetime(pass) {}
        }
    }

    private func serve(_ value: Value, logger: Logger) async {
        let outcome: BLIPServerNegotiation<HTTP1Channel.Value>
        let admission = value.admission
        value.negotiation.whenComplete { _ in admission.noteNegotiated() }
        do {
            outcome = try await withTaskCancellationOrGracefulShutdownHandler {
                try await value.negotiation.get()
            } onCancelOrGracefulShutdown: {
                // It has no request yet. A client whose sync has just begun is sent away below, with a reason.
                value.channel.eventLoop.execute {
                    if !admission.isNegotiated { value.channel.close(promise: nil) }
                }
            }
        } catch {
            logger.debug("A connection ended before a request", metadata: ["error": "\(error)"])
            return
        }
        switch outcome {
        case .plain(let http):
            await ClientConnection.$current.withValue(value.client) {
                await taking(value.client.turns).handleHTTP(asyncChannel: http, logger: logger)
            }
        case .upgraded(let connection, _): await serve(connection, admission: value.admission)
        case .messages(let messages): await serve(messages, admission: value.admission)
        case .closed: break
        }
    }

    /// Closes a connection that is one too many, before its first request. Under TLS no reason can be sent so early.
    private func refuse(_ channel: any Channel, with refusal: GatewayError) {
        if certificate == nil {
            channel.writeAndFlush(ByteBuffer(string: Self.answer(to: refusal)), promise: nil)
        }
        channel.close(promise: nil)
    }

    /// The whole answer to a connection that is refused.
    static func answer(to refusal: GatewayError) -> String {
        let text = refusal.reason + "\n"
        return "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\n"
            + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    private func serve(
        _ messages: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, admission: Admission
    ) async {
        guard let guest = admission.take(), case .feed(let collection, let filter) = guest.purpose else {
            return messages.channel.close(promise: nil)
        }
        await FeedSocket(
            database: guest.database, requester: guest.requester, authorization: guest.authorization,
            collection: collection,
            filter: filter, gateway: gateway, client: guest.client, account: guest.account
        ).run(messages)
    }

    private func serve(_ connection: BLIPConnection, admission: Admission) async {
        guard let guest = admission.take(), case .sync(let version) = guest.purpose else {
            return connection.abort()
        }
        let backend = DatabaseSyncBackend(
            database: guest.database, requester: guest.requester, version: version,
            owner: gateway.memory.stagingOwner(guest.account))
        let memory = gateway.memory.ofConnection(guest.account)
        var logger = gateway.logger
        logger[metadataKey: "correlation"] = "\(guest.correlation)"
        logger.debug("Sync connection opened", metadata: ["database": "\(guest.database.name)"])
        let start = ContinuousClock.now
        gateway.metrics.syncConnectionOpened(guest.database.name)
        gateway.syncConnections.add(connection, to: guest.database.name)
        defer {
            gateway.metrics.syncConnectionClosed(guest.database.name)
            gateway.syncConnections.remove(connection, from: guest.database.name)
        }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await dismiss(connection, guest: guest) }
                await SyncConnection(connection: connection, backend: backend, logger: logger, memory: memory).run()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            connection.sendAway("The gateway is shutting down")
        }
        if let refusal = memory.refusal {
            gateway.logs.endedSyncs.write(
                "Sync ended: too many bytes of messages that are unfinished or not read", level: .warning,
                metadata: Self.owner(guest, refusal: refusal), of: guest.account, logger: logger)
        }
        let summary = Self.summary(of: backend.tally, guest, duration: start.duration(to: .now))
        gateway.logs.endedSyncs.write("Sync ended", level: .info, metadata: summary, of: guest.account, logger: logger)
        withExtendedLifetime(guest) {}
    }

    /// The owner of a connection whose memory was refused, for the log.
    private static func owner(_ guest: Admission.Guest, refusal: ShareLedger.Refusal) -> Logger.Metadata {
        [
            "db": "\(guest.database.name)", "user": "\(guest.requester.userName ?? "(administrator)")",
            "client": "\(guest.client)", "bound": refusal == .share ? "of one user" : "of all users",
        ]
    }

    /// The user who synced, and the result.
    private static func summary(
        of tally: ConnectionTally, _ guest: Admission.Guest, duration: Duration
    ) -> Logger.Metadata {
        [
            "db": "\(guest.database.name)", "user": "\(guest.requester.userName ?? "(administrator)")",
            "agent": "\(guest.agent.shortened(toScalars: GatewayServerLimits.agentLogged))",
            "client": "\(guest.client)", "sent": "\(tally.sent)", "received": "\(tally.received)",
            "refused": "\(tally.refused)",
            "seconds": "\(String(format: "%.1f", duration / .seconds(1)))",
        ]
    }

    /// Ends the connection of a user who has to sign in again.
    private func dismiss(_ connection: BLIPConnection, guest: Admission.Guest) async {
        do {
            connection.sendAway(try await guest.authorization.waitForEnd().reason)
        } catch is CancellationError {
            return
        } catch {
            gateway.logger.warning("A user could not be looked up", metadata: ["error": "\(GatewayError(error))"])
            connection.sendAway(SessionRevocation.unwelcome.reason)
        }
    }
}
