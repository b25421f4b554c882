import NIOCore

/// Passes arriving bytes on as fast as their owner may send small pieces. It is in front of the decoder, which decodes all
/// its input at once. A client that sends more is not refused: its connection is not read for a moment.
final class PacedReads: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Held {
        case bytes(ByteBuffer)
        /// The peer sends nothing more.
        case event(Any)
    }

    private enum State {
        case open
        case passing
        case waiting(Scheduled<Void>)
        case ended
    }

    private let owner: PieceOwner
    private var held = CircularBuffer<Held>()
    private var state = State.open
    /// Whether a read was requested while bytes were held.
    private var isReadWanted = false
    /// Pieces of the slice that is being passed on.
    private var pieces = 0
    /// How many slices of larger pieces are needed until the connection no longer counts as one of small pieces.
    private var slicesInDoubt = 0

    init(_ owner: PieceOwner) { self.owner = owner }

    /// The decoder has made so many pieces.
    func note(_ count: Int) { pieces += count }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(.bytes(unwrapInboundIn(data)))
        if case .open = state { pass(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .open = state { context.fireChannelReadComplete() }
    }

    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadWanted = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, !held.isEmpty else {
            return context.fireUserInboundEventTriggered(event)
        }
        held.append(.event(event))
    }

    /// The held bytes of a peer that is gone are dropped: they were over its budget.
    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        if case .waiting(let timer) = state { timer.cancel() }
        state = .ended
        held.removeAll()
    }

    private func pass(_ context: ChannelHandlerContext) {
        state = .passing
        while case .passing = state, let next = held.popFirst() {
            switch next {
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .bytes(let bytes): pass(bytes, to: context)
            }
        }
        guard case .passing = state else { return }
        state = .open
        guard isReadWanted else { return }
        isReadWanted = false
        context.read()
    }

    private func pass(_ bytes: ByteBuffer, to context: ChannelHandlerContext) {
        var rest = bytes
        let now = context.eventLoop.now.uptimeNanoseconds
        if slicesInDoubt > 0, let delay = owner.delay(at: now) {
            held.prepend(.bytes(rest))
            return wait(delay, on: context)
        }
        guard let slice = rest.readSlice(length: min(rest.readableBytes, TransportLimits.pacedBytes)) else { return }
        if rest.readableBytes > 0 { held.prepend(.bytes(rest)) }
        pieces = 0
        context.fireChannelRead(wrapInboundOut(slice))
        note(pieces - TransportLimits.freePieces - slice.readableBytes / TransportLimits.bytesOfPiece, at: now)
    }

    /// - Parameter excess: pieces beyond those that a slice of its size may have.
    private func note(_ excess: Int, at time: UInt64) {
        guard excess > 0 else {
            slicesInDoubt = max(0, slicesInDoubt - 1)
            return
        }
        slicesInDoubt = TransportLimits.slicesInDoubt
        owner.charge(excess, at: time)
    }

    private func wait(_ delay: UInt64, on context: ChannelHandlerContext) {
        let time = TimeAmount.nanoseconds(Int64(delay))
        // Held bytes are on no account, so they must be one read at most.
        _ = context.channel.setOption(.maxMessagesPerRead, value: 1)
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self, case .waiting = state else { return }
            pass(context)
            if case .open = state { context.fireChannelReadComplete() }
        }
        state = .waiting(timer)
        // The requests that arrived so far may be answered.
        context.fireChannelReadComplete()
    }
}

/// Counts the pieces that the decoder in front of it makes.
public final class PieceCounter: ChannelInboundHandler, RemovableChannelHandler {
    public typealias InboundIn = NIOAny
    public typealias InboundOut = NIOAny

    private let reads: PacedReads
    private let weight: Int

    /// - Parameters:
    ///   - pipeline: of a connection of `BLIPServerUpgrade`; returns `nil` if that has no owner.
    ///   - weight: as how many pieces each part counts.
    public init?(in pipeline: ChannelPipeline.SynchronousOperations, weight: Int = 1) {
        guard let reads = try? pipeline.handler(type: PacedReads.self) else { return nil }
        self.reads = reads
        self.weight = weight
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads.note(weight)
        context.fireChannelRead(data)
    }
}
