import DocumentValues
import NIOCore
import NIOHTTP1
import SyncFunction

/// Rules of HTTP/1 that the shared types of requests and answers do not cover.
///
/// A client with HTTP/1.0 gets no chunks, and the connection ends behind the answer. A client that wants the connection
/// closed is notified that it will be. The connection is also closed after a request behind which the bytes are
/// undefined: one that offers another protocol, where the parser stops, and one whose announced body was not requested.
/// It also notices when the client leaves while it waits for an answer.
final class HTTP1Compatibility: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request whose answer is not complete yet.
    private struct Pending {
        let isOld: Bool
        /// The connection ends behind it, closed by the HTTP server, as the request says …
        let isLast: Bool
        /// … or here.
        var isFollowedByNothing: Bool
        /// The client waits for the request to send its body.
        var isWaiting: Bool
    }

    private var pending = CircularBuffer<Pending>()
    /// Whether the body of the last request is still on its way.
    private var isArriving = false
    private var lingering: Scheduled<Void>?
    private var leaving: Scheduled<Void>?
    private let connection: ClientConnection

    init(_ connection: ClientConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body: context.fireChannelRead(data)
        case .end:
            isArriving = false
            lingering?.cancel()
            context.fireChannelRead(data)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        lingering?.cancel()
        leaving?.cancel()
        connection.client.noteGone()
        context.fireChannelInactive()
    }

    /// A client that sends no more has closed the connection, or only its half of it and still reads: these two look the
    /// same. So requests that are quickly done are done for both.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, leaving == nil {
            leaving = context.eventLoop.scheduleTask(in: GatewayServerLimits.answerOfHalfClosed) { [connection] in
                connection.client.noteGone()
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func begin(_ requestHead: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = requestHead
        isArriving = true
        if !pending.isEmpty { connection.turns.notePipelined() }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let isLast = isOld || !head.isKeepAlive
        // A client with HTTP/1.0 would not understand `100 Continue`.
        if isOld { head.headers.remove(name: "Expect") }
        HostHeader.complete(&head)
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        pending.append(
            Pending(
                isOld: isOld, isLast: isLast, isFollowedByNothing: head.headers.contains(name: "Upgrade"),
                isWaiting: head.headers.contains(name: "Expect")))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            answer(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let request = pending.popFirst()
            if isArriving, pending.isEmpty { closeLater(context) }
            guard let request, request.isFollowedByNothing, !request.isLast else {
                return context.write(data, promise: promise)
            }
            context.writeAndFlush(data, promise: promise)
            context.close(mode: .output, promise: nil)
        }
    }

    /// The answer is complete before the body: the rest of the body is read, but not for ever.
    private func closeLater(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        lingering = context.eventLoop.scheduleTask(in: GatewayServerLimits.restOfBody) {
            bound.value.close(mode: .all, promise: nil)
        }
    }

    private func answer(_ head: inout HTTPResponseHead) {
        guard !pending.isEmpty else { return }
        guard !(100..<200 ~= head.status.code) else {
            pending[pending.startIndex].isWaiting = false
            return
        }
        // A client that sends too slowly has to open a new connection.
        let isTooSlow = head.status == .requestTimeout
        if pending[pending.startIndex].isWaiting || isTooSlow { pending[pending.startIndex].isFollowedByNothing = true }
        let request = pending[pending.startIndex]
        if request.isOld { head.version = .http1_0 }
        let isReported = head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
        if request.isLast || request.isFollowedByNothing, !isReported {
            head.headers.add(name: "Connection", value: "close")
        }
    }
}
