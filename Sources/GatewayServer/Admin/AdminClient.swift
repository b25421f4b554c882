import DocumentValues
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Speaks to the admin port of the gateway that a configuration describes, on the same machine.
package struct AdminClient: Sendable {
    package enum Method: String, Sendable { case get = "GET", post = "POST", put = "PUT", delete = "DELETE" }

    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
        /// The version of the body; `nil` if the answer has none.
        var version: String?
    }

    /// The condition of a request.
    package enum Precondition: Sendable {
        /// The object still has this version, see `Answer.version`.
        case version(String)
        case absent
    }

    private let host: String
    private let port: Int
    private let token: String?
    private let tls: GatewayConfiguration.TLS?

    package init(_ configuration: GatewayConfiguration) throws {
        let interface = configuration.adminInterface
        host = ["0.0.0.0", "::"].contains(interface.host) ? "127.0.0.1" : interface.host
        port = interface.port
        token = LocalAdministrator.token(storage: configuration.storagePath)
        tls = configuration.tls
    }

    /// The answer's body; a failure is thrown with the gateway's own reason.
    @discardableResult
    package func send(
        _ method: Method, path: String, body: [UInt8]? = nil, where precondition: Precondition? = nil
    ) async throws -> [UInt8] {
        try checked(try await request(method, path: path, body: body, where: precondition))
    }

    /// The body of an answer that is a success.
    func checked(_ answer: Answer) throws -> [UInt8] {
        guard (200..<300).contains(answer.status) else {
            let reason = (try? JSONObject(parsing: answer.body))?["reason"]?.stringValue?.printableLine
            let hint = answer.status == 401 ? "Run the command as the account that the gateway runs as" : nil
            throw AdminError(
                .refused(answer.status), problem: reason ?? "The gateway answered with status \(answer.status)",
                hint: hint)
        }
        return answer.body
    }

    /// - Parameter precondition: if it is not met, the answer's status is 412.
    package func request(
        _ method: Method, path: String, body: [UInt8]? = nil, where precondition: Precondition? = nil
    ) async throws -> Answer {
        let trust = try tls.map { try LocalGatewayTrust($0) }
        var isReached = false
        do {
            let channel = try await connect(trust)
            isReached = true
            let promise = channel.eventLoop.makePromise(of: Answer.self)
            try await channel.eventLoop.submit {
                do {
                    // A handler that is added after the end of the connection would never be notified of it.
                    guard channel.isActive else { throw ChannelError.eof }
                    try channel.pipeline.syncOperations.addHandler(AnswerCollector(promise))
                } catch {
                    promise.fail(error)
                    throw error
                }
            }.get()
            try await write(method, path: path, body: body, where: precondition, to: channel)
            return try await promise.futureResult.get()
        } catch let error as AdminError {
            throw error
        } catch {
            throw unreachable(trust, isReached: isReached)
        }
    }

    /// - Parameter isReached: whether a program listens at the address.
    private func unreachable(_ trust: LocalGatewayTrust?, isReached: Bool) -> AdminError {
        if let trust, trust.finding == .other {
            if let tls, let trouble = Self.trouble(of: tls) {
                return AdminError(
                    .unreachable, problem: "The gateway goes on with the certificate that it had: \(trouble)")
            }
            return AdminError(
                .unreachable,
                problem: "The server at \(host):\(port) shows another certificate than \(tls?.certificatePath ?? "")",
                hint:
                    "If that file was just replaced, the gateway takes it over within ten seconds. Otherwise something "
                    + "else has that port, or the gateway was started with another configuration")
        }
        if let trust, isReached, trust.finding == nil {
            return AdminError(
                .unreachable, problem: "The server at \(host):\(port) does not speak TLS as the configuration says",
                hint: "Start the gateway again: it has another configuration, or something else has that port")
        }
        return AdminError(
            .unreachable, problem: "The gateway does not answer at \(host):\(port)",
            hint: "Start it with 'fieldbook-gateway serve', with the same configuration")
    }

    /// Why the gateway cannot take over the files as they are now.
    private static func trouble(of tls: GatewayConfiguration.TLS) -> ConfigurationError? {
        do {
            _ = try ServerCertificate(tls)
            return nil
        } catch {
            return error
        }
    }

    private func connect(_ trust: LocalGatewayTrust?) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(GatewayServerLimits.adminConnectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let trust { try pipeline.addHandler(try trust.handler()) }
                    try pipeline.addHandler(IdleStateHandler(readTimeout: GatewayServerLimits.adminSilence))
                    try pipeline.addHTTPClientHandlers()
                }
            }
            .connect(host: host, port: port).get()
    }

    private func write(
        _ method: Method, path: String, body: [UInt8]?, where precondition: Precondition?, to channel: any Channel
    ) async throws {
        var headers: HTTPHeaders = [
            "Host": "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)", "Connection": "close",
        ]
        switch precondition {
        case .version(let version): headers.add(name: "If-Match", value: "\"\(version)\"")
        case .absent: headers.add(name: "If-None-Match", value: "*")
        case nil: break
        }
        if let token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: String(body.count))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: path, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil) }
        try await channel.writeAndFlush(HTTPClientRequestPart.end(nil)).get()
    }
}

/// Gathers one answer.
private final class AnswerCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private struct Cut: Error {}

    private let promise: EventLoopPromise<AdminClient.Answer>
    private var status = 0
    private var version: String?
    private var body: [UInt8] = []

    init(_ promise: EventLoopPromise<AdminClient.Answer>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            version = head.headers.first(name: HTTPField.Name.principalVersion.canonicalName)
            version = version ?? head.headers.first(name: "ETag")?.withoutQuotes
        case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
        case .end:
            promise.succeed(AdminClient.Answer(status: status, body: body, version: version))
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }

    /// After an answer this changes nothing.
    func channelInactive(context: ChannelHandlerContext) { promise.fail(Cut()) }
}
