import NIOCore
import NIOHTTP1

/// Refuses requests with a long path or header that has more than ASCII, before any other handler reads it.
///
/// No honest client sends one. The HTTP server compares some headers with other texts, which takes time with the square of
/// the length, because combining marks are sorted. 60 KB take a second of the event loop, which all its connections have to
/// wait for.
package final class LongTextRefusal: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundOut = HTTPServerResponsePart

    private var isRefusing = false

    /// Puts it behind the decoder of a pipeline for HTTP.
    package static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(LongTextRefusal(), position: .after(decoder))
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefusing else { return }
        guard case .head(let head) = unwrapInboundIn(data), head.hasLongText else {
            return context.fireChannelRead(data)
        }
        isRefusing = true
        let headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
        let answer = HTTPResponseHead(version: .http1_1, status: .requestHeaderFieldsTooLarge, headers: headers)
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}

extension HTTPRequestHead {
    /// Whether the path or a header has more than ASCII, and is longer than any honest one.
    package var hasLongText: Bool {
        func isLong(_ text: String) -> Bool {
            text.utf8.count > TransportLimits.unencodedText && !text.utf8.allSatisfy { $0 < 0x80 }
        }
        return isLong(uri) || headers.contains { isLong($0.value) }
    }
}
