import NIOCore
import NIOHTTP1

/// What HTTP/1 asks for and the shared types of requests and answers do not show: who speaks HTTP/1.0 gets no chunks and
/// the end of the connection behind the answer, and whoever wants the connection closed is told that it will be.
final class HTTPManners: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that was not answered yet.
    private struct Pending {
        let isOld: Bool
        let isLast: Bool
    }

    private var pending = CircularBuffer<Pending>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let isLast = isOld || !head.isKeepAlive
        pending.append(Pending(isOld: isOld, isLast: isLast))
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        // It would not understand the invitation to send the body.
        if isOld { head.headers.remove(name: "Expect") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let request = pending.first, !head.isInformational {
                if request.isOld { head.version = .http1_0 }
                if request.isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            _ = pending.popFirst()
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        }
    }
}

extension HTTPResponseHead {
    /// Another head follows.
    fileprivate var isInformational: Bool { 100..<200 ~= status.code }
}
