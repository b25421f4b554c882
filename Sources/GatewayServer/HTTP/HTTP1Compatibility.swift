import DocumentValues
import NIOCore
import NIOHTTP1

/// What HTTP/1 asks for and the shared types of requests and answers do not show.
///
/// A client of HTTP/1.0 gets no chunks, and the end of the connection behind the answer. Anybody who wants the connection
/// closed is notified that it will be. It is closed, too, behind a request after which nobody knows what comes: one that
/// offers another protocol, behind which the parser stops, and one whose body was announced and not asked for.
final class HTTP1Compatibility: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that was not answered to the end yet.
    private struct Pending {
        let isOld: Bool
        /// The connection ends behind it, by the HTTP server, which reads that in the request …
        let isLast: Bool
        /// … or here.
        var isFollowedByNothing: Bool
        /// It waits to be asked for its body.
        var isWaiting: Bool
    }

    private var pending = CircularBuffer<Pending>()
    /// Whether the body of the last request is still on its way.
    private var isArriving = false
    private var lingering: Scheduled<Void>?
    private let turns: RequestTurns

    init(_ turns: RequestTurns) { self.turns = turns }

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
        context.fireChannelInactive()
    }

    private func begin(_ requestHead: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = requestHead
        isArriving = true
        if !pending.isEmpty { turns.notePipelined() }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let isLast = isOld || !head.isKeepAlive
        // It would not understand the question for the body.
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

    /// The answer is there before the body: what is still to come of it is read, but not for ever.
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
        // A client that sends too slowly has to begin again.
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
