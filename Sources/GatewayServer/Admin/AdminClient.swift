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
        /// Of what the body is; `nil` where the answer has none.
        var version: String?
    }

    private let host: String
    private let port: Int
    private let token: String?
    private let tls: NIOSSLContext?

    package init(_ configuration: GatewayConfiguration) throws {
        let interface = configuration.adminInterface
        host = ["0.0.0.0", "::"].contains(interface.host) ? "127.0.0.1" : interface.host
        port = interface.port
        token = LocalAdministrator.token(storage: configuration.storagePath)
        tls = try configuration.tls.map {
            try Self.context(trusting: [$0.certificatePath, CertificateFiles($0).authority])
        }
    }

    /// Trusts the gateway's own certificate, under whatever name it is reached. Where its file is lost, a gateway that runs
    /// has it still: what its authority has signed is trusted then.
    private static func context(trusting paths: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .noHostnameVerification
        for path in paths {
            configuration.trustRoots = .file(path)
            do { return try NIOSSLContext(configuration: configuration) } catch { continue }
        }
        throw ConfigurationError(paths[0], problem: "is not a readable PEM certificate")
    }

    /// The answer's body; whatever is no success is thrown with the gateway's own reason.
    @discardableResult
    package func send(
        _ method: Method, path: String, body: [UInt8]? = nil, ifMatch version: String? = nil
    ) async throws -> [UInt8] {
        try checked(try await request(method, path: path, body: body, ifMatch: version))
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

    /// - Parameter version: only where this is there still, see `Answer.version`; otherwise the answer's status is 412.
    package func request(
        _ method: Method, path: String, body: [UInt8]? = nil, ifMatch version: String? = nil
    ) async throws -> Answer {
        do {
            let channel = try await connect()
            let promise = channel.eventLoop.makePromise(of: Answer.self)
            try await channel.eventLoop.submit {
                do {
                    // A handler that comes after the connection's end would not hear of it.
                    guard channel.isActive else { throw ChannelError.eof }
                    try channel.pipeline.syncOperations.addHandler(AnswerCollector(promise))
                } catch {
                    promise.fail(error)
                    throw error
                }
            }.get()
            try await write(method, path: path, body: body, ifMatch: version, to: channel)
            return try await promise.futureResult.get()
        } catch let error as AdminError {
            throw error
        } catch {
            throw AdminError(
                .unreachable, problem: "The gateway does not answer at \(host):\(port)",
                hint: "Start it with 'fieldbook-gateway serve', with the same configuration")
        }
    }

    private func connect() async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(GatewayServerLimits.adminConnectTimeout)
            .channelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHandler(IdleStateHandler(readTimeout: GatewayServerLimits.adminSilence))
                    try pipeline.addHTTPClientHandlers()
                }
            }
            .connect(host: host, port: port).get()
    }

    private func write(
        _ method: Method, path: String, body: [UInt8]?, ifMatch version: String?, to channel: any Channel
    ) async throws {
        var headers: HTTPHeaders = [
            "Host": "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(port)", "Connection": "close",
        ]
        if let version { headers.add(name: "If-Match", value: "\"\(version)\"") }
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
