import DocumentValues
import GatewayCore
import Logging
import NIOCore
import NIOWebSocket

/// `_changes?feed=websocket`: the client's first message has the options of the feed, in the members of a `POST` to
/// `_changes`. Each message to the client is an array of rows. An empty array means that the client has caught up for
/// the first time; an empty text is sent each later time, and as the heartbeat.
struct FeedSocket: Sendable {
    typealias Messages = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    private typealias Writer = NIOAsyncChannelOutboundWriter<WebSocketFrame>

    /// The channels in the query. A first message with a filter replaces them; the rest of the query is ignored, as in
    /// Sync Gateway.
    struct Filter: Sendable {
        private var members: JSONObject = [:]

        init(query: [Name: String]) throws {
            guard try ChangesParameters(query: query).channels != nil else { return }
            for name in ["filter", "channels"] { members[name] = query[Name(name)].map { .string($0) } }
        }

        /// A first message with the filter in it.
        func applied(to message: JSONObject) -> JSONObject {
            guard (message["filter"]?.stringValue ?? "").isEmpty else { return message }
            return message.setting(members)
        }
    }

    /// How a connection ends.
    private enum End: Sendable {
        case close(WebSocketErrorCode, String)
        /// The client has disconnected, or has sent a Close.
        case gone
    }

    let database: GatewayDatabase
    let requester: Requester
    let authorization: RequestAuthorization
    let collection: CollectionName
    let filter: Filter
    let gateway: GatewayContext
    /// The client's address, and the account.
    let client: String
    let account: Name

    /// Serves the client until one side ends the connection.
    func run(_ messages: Messages) async {
        // It counts among the requests in flight, as other waiting feeds do.
        let pass = InFlightRequestToken(gateway.metrics)
        let refusal = refusal(of: pass)
        let output = FeedOutput(
            messages.channel, load: RequestLoad(gateway.memory, account: account), client: client,
            logger: gateway.logger)
        do {
            try await messages.executeThenClose { inbound, outbound in
                let end =
                    if let refusal {
                        Self.comeBack(refusal)
                    } else {
                        try await serve(inbound, outbound: outbound, output: output)
                    }
                if case .close(let code, let reason) = end {
                    try await Self.close(code, reason: reason, outbound: outbound)
                }
            }
        } catch is CancellationError {
            return
        } catch {
            gateway.logger.debug("A feed's connection ended", metadata: ["error": "\(type(of: error))"])
        }
        withExtendedLifetime(pass) {}
    }

    private static func comeBack(_ refusal: GatewayError) -> End {
        .close(WebSocketErrorCode(codeNumber: 1_013), refusal.reason)
    }

    /// Why there is no room for one more; `nil` if there is.
    private func refusal(of pass: InFlightRequestToken) -> GatewayError? {
        do throws(GatewayError) {
            try pass.admit(gateway.requests, address: GatewayContext.account(ofAddress: client))
            try pass.charge(to: account)
            return nil
        } catch {
            return error
        }
    }

    private func serve(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>, outbound: Writer, output: FeedOutput
    ) async throws -> End {
        let (opening, inbox) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(1))
        return try await withThrowingTaskGroup(of: End.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await listen(inbound, outbound: outbound, inbox: inbox) }
            group.addTask {
                let stay = ReaderStay(authorization: authorization)
                return switch try await stay.run({ try await report(opening, to: output) }) {
                case .finished(let end): end
                case .revoked(let revocation): .close(.policyViolation, revocation.reason)
                case .shutdown: .close(.goingAway, "The gateway is shutting down")
                }
            }
            return try await group.next() ?? .gone
        }
    }

    /// Passes the first message on and answers pings; later messages are ignored.
    private func listen(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>, outbound: Writer,
        inbox: AsyncStream<ByteBuffer>.Continuation
    ) async throws -> End {
        for try await frame in inbound {
            // RFC 6455, 5.1: a proxy must not take a client's bytes for something else.
            guard frame.maskKey != nil else { return .close(.protocolError, "A client must mask its frames") }
            switch frame.opcode {
            case .text, .binary: inbox.yield(frame.unmaskedData)
            case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            case .connectionClose: return .close(.normalClosure, "")
            default: break
            }
        }
        return .gone
    }

    private func report(_ opening: AsyncStream<ByteBuffer>, to output: FeedOutput) async throws -> End {
        guard let first = try await Self.first(of: opening) else {
            return .close(.policyViolation, "The first message must have the options of the feed")
        }
        let parameters: ChangesParameters
        do {
            var body = try JSONObject(parsing: Array(first.readableBytesView))
            try ChangesParameters.types.check(body) { .invalidJSON($0) }
            body["feed"] = .string(ChangesParameters.Feed.continuous.rawValue)
            parameters = try ChangesParameters(body: filter.applied(to: body), query: [:])
        } catch {
            let reason = (error as? GatewayError)?.reason ?? "The first message is no JSON object"
            return .close(.policyViolation, reason)
        }
        var request = parameters.request(in: collection)
        request.includesUser = requester != .admin && parameters.documentIDs == nil
        do {
            try output.load.keep(parameters.filterBytes)
            let delivery = FeedDelivery(
                feed: try database.feeds.changes(request, as: requester), parameters: parameters,
                authorization: authorization)
            var messages = FeedMessages(output)
            return switch try await delivery.run(to: &messages) {
            case .complete: .close(.normalClosure, "")
            // The feed may notice it before the one who waits for it.
            case .unauthorized: .close(.policyViolation, GatewayError.signInAgain.reason)
            }
        } catch let error as GatewayError where error.status == 503 {
            return Self.comeBack(error)
        } catch let error as GatewayError where error.status == 401 {
            return .close(.policyViolation, error.reason)
        }
    }

    /// The first message; `nil` if it does not come in time.
    private static func first(of opening: AsyncStream<ByteBuffer>) async throws -> ByteBuffer? {
        try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await message in opening { return message }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: GatewayServerLimits.feedOpening)
                return nil
            }
            return try await group.next() ?? nil
        }
    }

    private static func close(_ code: WebSocketErrorCode, reason: String, outbound: Writer) async throws {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        // A control frame ends at 125 bytes, and must not end within a character.
        var text = reason
        while text.utf8.count > GatewayServerLimits.closeReason { text.removeLast() }
        data.writeString(text)
        try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    }
}

/// The framing of `feed=websocket`.
private struct FeedMessages: FeedWriter {
    private let output: FeedOutput
    private var hasCaughtUp = false

    init(_ output: FeedOutput) { self.output = output }

    mutating func write(_ rows: [FeedRow]) async throws {
        var list = Array("[".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            ChangesWriter.append(row, to: &list)
        }
        list.append(UInt8(ascii: "]"))
        try await output.send(list)
    }

    mutating func noteCaughtUp() async throws {
        try await output.send(hasCaughtUp ? [] : Array("[]".utf8))
        hasCaughtUp = true
    }

    mutating func beat() async throws { try await output.send([]) }
}
