import NIOCore
import NIOPosix

/// A socket whose bytes the test writes and reads itself.
struct RawSocket: Sendable {
    private let channel: any Channel
    private let received: AsyncStream<ByteBuffer>
    private let collected: Collected

    private actor Collected {
        var buffer = ByteBuffer()
        func append(_ part: ByteBuffer) { buffer.writeImmutableBuffer(part) }
        func take(_ count: Int) -> [UInt8] { buffer.readBytes(length: count) ?? [] }
    }

    static func connect(port: Int) async throws -> RawSocket {
        let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Forwarder(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawSocket(channel: channel, received: stream, collected: Collected())
    }

    /// Listens, and gives each accepted socket to `script`, with a task of its own.
    ///
    /// - Parameter receiveBuffer: bytes that the system takes before the script does.
    static func listen(
        receiveBuffer: Int? = nil, _ script: @escaping @Sendable (RawSocket) async throws -> Void
    ) async throws -> (port: Int, stop: @Sendable () async throws -> Void) {
        var bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.serverChannelOption(
                .socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        let channel =
            try await bootstrap
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (stream, continuation) = AsyncStream<ByteBuffer>.makeStream()
                    try channel.pipeline.syncOperations.addHandler(Forwarder(continuation))
                    let socket = RawSocket(channel: channel, received: stream, collected: Collected())
                    channel.eventLoop.makeFutureWithTask { try await script(socket) }
                        .whenFailure { _ in channel.close(promise: nil) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return (channel.localAddress?.port ?? 0, { try await channel.close() })
    }

    func write(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

    func write(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Leaves everything in the system's buffers from here on.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    func goOnReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Reads no more than a portion at a time from here on.
    func readSlowly(_ portion: Int, every pause: TimeAmount) async throws {
        try await stopReading()
        try await channel.setOption(.maxMessagesPerRead, value: 1).get()
        try await channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: portion)).get()
        let channel = channel
        let reading = channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in channel.read() }
        channel.closeFuture.whenComplete { _ in reading.cancel() }
    }

    /// The other side may have been first.
    func close() async throws {
        do { try await channel.close() } catch ChannelError.alreadyClosed {}
    }

    /// Reads up to and with the blank line that ends an HTTP head.
    func readHead() async throws -> String {
        while true {
            let buffer = await collected.buffer
            if let end = buffer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) {
                return String(decoding: await collected.take(end.upperBound - buffer.readerIndex), as: UTF8.self)
            }
            try await more()
        }
    }

    func read(_ count: Int) async throws -> [UInt8] {
        while await collected.buffer.readableBytes < count { try await more() }
        return await collected.take(count)
    }

    /// Everything until the other side ends the connection.
    func readToEnd() async -> [UInt8] {
        for await part in received { await collected.append(part) }
        return await collected.take(collected.buffer.readableBytes)
    }

    private func more() async throws {
        for await part in received {
            await collected.append(part)
            return
        }
        throw TestPeer.NothingMore()
    }

    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { continuation.yield(unwrapInboundIn(data)) }
        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
