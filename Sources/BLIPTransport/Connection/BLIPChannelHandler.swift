import BLIPProtocol
import NIOCore
import NIOWebSocket

/// Drives a `BLIPEngine` with the WebSocket frames of one channel.
///
/// Everything happens on the channel's event loop. Frames are made only while the socket takes them, so that an urgent
/// message or an acknowledgement can still overtake queued messages. One flush covers all frames of a round.
final class BLIPChannelHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = ByteBuffer

    let role: ConnectionRole
    var engine: BLIPEngine
    private var incoming: IncomingFrames
    private var frames: WebSocketFrameWriter
    var closing = ClosingState.open
    var heartbeat: Heartbeat?
    /// On the client's side: replies that the server owes.
    private let replies: ReplyWatch?
    /// How long a client may go without reading while answers to it are queued.
    let readingLimit: TimeAmount
    var unread = UnreadMessages()
    /// Set while answers are queued.
    var readerWatch: ReaderWatch?
    private var memory = SteppedMemory(nil)
    /// On the server's side: watches for messages that a client leaves unfinished.
    var watch: ArrivalWatch?

    private(set) var context: ChannelHandlerContext?
    private var owner: Owner?
    private var isPumping = false

    /// Frames of the peer that the engine has not received yet.
    private struct IncomingFrames {
        var assembler: WebSocketAssembler
        let decoder: MeteredFrameDecoder?
        /// Frames that came before the connection was started or while it is paused, and frames left for the next turn.
        var arrived = ArrivedFrames()
        /// The data of the latest ping: one pong answers all pings that came together.
        var unansweredPing: ByteBuffer?
        var isPauseWanted = false

        var unassembledBytes: Int { assembler.bytes + (decoder?.unframedBytes ?? 0) }
    }

    /// The connection and the delegate that events are reported to; `nil` before the start, and after the report of the
    /// end.
    private struct Owner {
        let connection: BLIPConnection
        let delegate: any BLIPConnectionDelegate
    }

    init(
        role: ConnectionRole, heartbeat: Heartbeat? = nil, replies: ReplyWatch? = nil,
        limits: BLIPLimits = BLIPLimits(), decoder: MeteredFrameDecoder? = nil, pace: ArrivalPace? = nil,
        readingLimit: TimeAmount = TransportLimits.readingLimit
    ) {
        self.role = role
        self.heartbeat = heartbeat
        self.replies = replies
        self.readingLimit = readingLimit
        watch = pace.map { ArrivalWatch($0) }
        engine = BLIPEngine(limits: limits)
        incoming = IncomingFrames(assembler: WebSocketAssembler(role: role), decoder: decoder)
        frames = WebSocketFrameWriter(role: role)
    }

    // MARK: Commands

    func run(_ commands: [ConnectionCommand], for connection: BLIPConnection) {
        for command in commands {
            switch command {
            case .start(let delegate, let memory): start(delegate, memory: memory, connection: connection)
            case .send(let batch): enqueue(batch)
            case .pauseReading: setReading(paused: true)
            case .resumeReading: setReading(paused: false)
            case .check: if let context { heartbeat?.check(on: context.eventLoop) }
            case .close(let code, let reason): beginClosing(code: code, reason: reason)
            case .abort: abort(BLIPCloseReason(aborting: "this side dropped the connection"))
            }
        }
        pump()
        deliver()
    }

    private func start(
        _ delegate: any BLIPConnectionDelegate, memory: (any BLIPMemory)?, connection: BLIPConnection
    ) {
        guard owner == nil else { return }
        owner = Owner(connection: connection, delegate: delegate)
        self.memory = SteppedMemory(memory)
        guard let context else { return reportEnd() }
        heartbeat?.start(self, on: context.eventLoop)
        setReading(paused: incoming.isPauseWanted)
    }

    private func enqueue(_ batch: [BLIPOutgoing]) {
        guard case .open = closing, context != nil else { return }
        do throws(BLIPError) {
            for outgoing in batch { try engine.enqueue(outgoing) }
        } catch {
            fail(error)
        }
    }

    func setReading(paused: Bool) {
        incoming.isPauseWanted = paused
        receiveArrived()
        readOrPause()
    }

    /// Whether reading is paused: on request, or while the peer does not read its answers, or while arrived frames wait
    /// to be processed.
    var isReadingPaused: Bool { incoming.isPauseWanted || isHeldByUnread || !incoming.arrived.isEmpty }

    func readOrPause() {
        guard let context, owner != nil else { return }
        let isPaused = isReadingPaused
        if !isPaused { heartbeat?.noteReading() }
        watch?.noteReading(isPaused: isPaused, on: context.eventLoop)
        // This fails only for a closed channel, which has nothing to read.
        _ = context.channel.setOption(.autoRead, value: !isPaused)
    }

    // MARK: Writing

    /// Makes frames for as long as the socket takes them.
    func pump() {
        guard let context, !isPumping, closing.allowsMessages else { return }
        isPumping = true
        defer { isPumping = false }
        var written = 0
        while context.channel.isWritable, written < TransportLimits.bytesPerTurn {
            let count = writeFrames(upTo: TransportLimits.bytesPerFlush, context)
            guard count > 0 else { break }
            // Under TLS only a flush brings the bytes to the socket, whose state the loop checks.
            context.flush()
            written += count
        }
        if written >= TransportLimits.bytesPerTurn, context.channel.isWritable { continueLater(context) }
        accountForMemory()
        noteUnread()
        if !isInMessage { watch?.noteIdle() }
        if let loop = self.context?.eventLoop {
            watch?.begin(self, on: loop)
            replies?.begin(self, on: loop)
        }
        sayGoodbyeIfDrained()
    }

    private func writeFrames(upTo limit: Int, _ context: ChannelHandlerContext) -> Int {
        var round = ByteBuffer()
        var failure: BLIPError?
        do throws(BLIPError) {
            while round.readableBytes < limit, let frame = try engine.nextFrame() {
                // The first frame shows whether there will be more.
                if round.readableBytes == 0, engine.hasFrames {
                    round.reserveCapacity(min(limit, engine.queuedBytes) + frame.readableBytes)
                }
                frames.append(.binary, payload: frame, to: &round)
            }
        } catch {
            failure = error
        }
        let written = round.readableBytes
        if written > 0 { context.write(wrapOutboundOut(round), promise: nil) }
        if let failure { fail(failure) }
        return written
    }

    /// Continues later, so that a connection with endless output still gets to read.
    private func continueLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().execute { [weak self] in
            self?.pump()
            self?.deliver()
        }
    }

    func write(
        _ opcode: WebSocketOpcode, data: ByteBuffer, context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>? = nil
    ) {
        var frame = ByteBuffer()
        frames.append(opcode, payload: data, to: &frame)
        if opcode == .ping || opcode == .pong {
            heartbeat?.noteControlFrame(payloadBytes: data.readableBytes)
            replies?.noteControlFrame(payloadBytes: data.readableBytes)
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump()
        deliver()
        context.fireChannelWritabilityChanged()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isFirst = incoming.arrived.isEmpty
        incoming.arrived.append(unwrapInboundIn(data))
        guard isFirst else { return }
        receiveArrived()
        if !incoming.arrived.isEmpty { readOrPause() }
    }

    /// Processes arrived frames, within the limit of this turn of the event loop.
    private func receiveArrived() {
        guard owner != nil else { return }
        while !incoming.isPauseWanted, !isHeldByUnread, let context, let frame = incoming.arrived.next() {
            let before = engine.inflatedBytes
            receive(frame)
            let cost = engine.inflatedBytes - before + TransportLimits.frameCost
            if incoming.arrived.note(inflatedBytes: cost) { receiveLater(context) }
        }
    }

    func receiveLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().execute { [weak self] in
            guard let self else { return }
            incoming.arrived.beginTurn()
            receiveArrived()
            answerPing()
            pump()
            deliver()
            readOrPause()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        incoming.arrived.noteReadComplete()
        answerPing()
        pump()
        deliver()
        context.fireChannelReadComplete()
    }

    private func receive(_ frame: WebSocketFrame) {
        heartbeat?.noteReading()
        watch?.noteArrival(frame.data.readableBytes)
        do throws(WebSocketViolation) {
            switch try incoming.assembler.receive(frame) {
            case .message(let message): receive(message)
            case .ping(let payload): incoming.unansweredPing = payload
            case .pong: heartbeat?.notePong()
            case .close(let code, let reason): receivedClose(code: code, reason: reason)
            case .incomplete: break
            }
        } catch {
            fail(
                code: error.code,
                TransportError(.protocolViolation, message: "The peer broke the WebSocket rules: \(error.reason)."))
        }
    }

    private func receive(_ message: ByteBuffer) {
        guard closing.allowsMessages else { return }
        replies?.noteFrame()
        do throws(BLIPError) {
            try engine.receive(message)
        } catch {
            return fail(error)
        }
        // A frame of a megabyte may inflate to many.
        accountForMemory()
    }

    // MARK: Unfinished messages

    /// Bytes that have arrived and are not part of a complete message yet.
    var unassembledBytes: Int { incoming.unassembledBytes }

    private func accountForMemory() {
        guard closing.allowsMessages, !memory.hold(unfinishedBytes + unreadBytes) else { return }
        fail(
            code: WebSocketCloseCode.transientApplicationError,
            TransportError(
                .aborted,
                message: "Too much memory is taken by messages that are unfinished or not read; try again later."))
    }

    /// Drops unfinished messages of the peer, because this side is closing.
    func dropUnfinished() {
        engine.dropIncompleteMessages()
        watch?.stop()
        _ = memory.hold(0)
    }

    /// Answers only the latest ping, as RFC 6455 (5.5.3) allows.
    private func answerPing() {
        guard let payload = incoming.unansweredPing else { return }
        incoming.unansweredPing = nil
        // Pongs must not pile up for a peer that pings without reading.
        guard let context, closing.allowsMessages, context.channel.isWritable else { return }
        write(.pong, data: payload, context: context)
        context.flush()
    }

    /// Reports the engine's events to the delegate.
    func deliver() {
        guard let owner, engine.hasEvents else { return }
        owner.delegate.connection(owner.connection, received: engine.takeEvents())
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { channelEnded() }

    func channelInactive(context: ChannelHandlerContext) {
        channelEnded()
        context.fireChannelInactive()
    }

    /// The peer has closed its sending side without a Close, so nothing more can arrive on this connection.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { abort(BLIPCloseReason(vanished: ())) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOWebSocketError {
            let code = error == .invalidFrameLength ? WebSocketCloseCode.tooLarge : WebSocketCloseCode.protocolError
            return fail(
                code: code, TransportError(.protocolViolation, message: "The peer broke the WebSocket rules: \(error).")
            )
        }
        abort(
            BLIPCloseReason(code: WebSocketCloseCode.abnormal, isByPeer: true, error: TransportError(ofSocket: error)))
    }

    private func channelEnded() {
        guard context != nil else { return }
        if let close = incoming.arrived.removeAll() { receive(close) }
        heartbeat?.stop()
        replies?.stop()
        watch?.stop()
        endReaderWatch()
        _ = memory.hold(0)
        context = nil
        closing.end(with: BLIPCloseReason(vanished: ()))
        reportEnd()
    }

    /// The delegate's last call.
    private func reportEnd() {
        guard context == nil, let owner else { return }
        deliver()
        self.owner = nil
        owner.delegate.connectionClosed(owner.connection, reason: closing.reason ?? BLIPCloseReason(vanished: ()))
    }
}
