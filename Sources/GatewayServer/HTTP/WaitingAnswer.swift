import BLIPTransport
import GatewayCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension Response {
    /// Takes room for a body that is in memory as a whole: 503 if there is none, unless it is the answer to a write, which is
    /// already done.
    func hold(on load: RequestLoad, method: HTTPRequest.Method) throws(GatewayError) {
        guard let length = body.contentLength, load.isAnswerInMemory, method != .head else { return }
        guard method == .get else { return load.holdAnswer(length) }
        try load.answer(length)
    }

    /// The same answer, written in pieces: unread bytes are on the account of the user, and a client that reads nothing for
    /// too long is disconnected.
    func waiting(for channel: any Channel, _ request: GatewayRequest, logger: Logger) -> Response {
        if let length = body.contentLength, length <= GatewayServerLimits.uncountedAnswer { return self }
        let (plain, load) = (body, request.load)
        var response = self
        response.body = ResponseBody(contentLength: plain.contentLength) { writer in
            let watch = ReaderWatch(channel, limit: load.readingLimit) {
                logger.info(
                    "A client does not read its answer; its connection is closed",
                    metadata: ["client": "\(request.client)"])
            }
            defer { watch.end() }
            try await plain.write(WaitingAnswerWriter(writer, load: load, watch: watch, eventLoop: channel.eventLoop))
        }
        return response
    }
}

/// Writes an answer in pieces, and waits for each.
private struct WaitingAnswerWriter: ResponseBodyWriter {
    private var parent: any ResponseBodyWriter
    private let load: RequestLoad
    private let watch: ReaderWatch
    private let eventLoop: any EventLoop
    /// Bytes written since the event loop was waited for.
    private var ahead = 0

    init(_ parent: any ResponseBodyWriter, load: RequestLoad, watch: ReaderWatch, eventLoop: any EventLoop) {
        self.parent = parent
        self.eventLoop = eventLoop
        self.load = load
        self.watch = watch
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        let before = try load.answer(buffer.readableBytes)
        defer { load.answer(backTo: before) }
        var rest = buffer
        while rest.readableBytes > 0,
            let piece = rest.readSlice(length: min(rest.readableBytes, GatewayServerLimits.answerPiece))
        {
            watch.note(isWaiting: true)
            try await parent.write(piece)
            try await catchUp(piece.readableBytes)
            watch.note(isWaiting: false)
        }
    }

    /// Waits until the channel has the written bytes. The channel accepts pieces until its event loop notices that the
    /// client does not read, and a whole answer could be written until then.
    private mutating func catchUp(_ written: Int) async throws {
        ahead += written
        guard ahead >= GatewayServerLimits.answerPiece else { return }
        ahead = 0
        try await eventLoop.submit {}.get()
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        watch.note(isWaiting: true)
        try await parent.finish(trailingHeaders)
    }
}
