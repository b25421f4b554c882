import NIOCore

extension BLIPEngine {
    /// Queues a message.
    ///
    /// Throws when the queue is full or the message cannot be written at all (a NUL in its properties).
    public mutating func enqueue(_ outgoing: BLIPOutgoing) throws(BLIPError) {
        switch outgoing {
        case .request(let request, let tag): try enqueue(request, tag: tag)
        case .response(let number, let properties, let body, let isCompressed):
            guard let isUrgent = replies.unanswered.removeValue(forKey: number) else { return }
            try enqueueResponse(
                to: number, isUrgent: isUrgent, properties: properties, body: body, isCompressed: isCompressed)
        case .failure(let number, let error):
            guard let isUrgent = replies.unanswered.removeValue(forKey: number) else { return }
            try enqueueFailure(to: number, isUrgent: isUrgent, error)
        }
    }

    private mutating func enqueue(_ request: BLIPRequest, tag: UInt64) throws(BLIPError) {
        let body: BodyReader
        do {
            body = try BodyReader(request.body)
        } catch {
            throw BLIPError(.sourceFailed, detail: "\(error)")
        }
        let route = OutgoingMessage.ReplyRoute(
            tag: tag, streams: request.streamsReply, isExpected: !request.isNoReply)
        try insert(
            OutgoingMessage(
                type: .request, number: 0, isUrgent: request.isUrgent, isOrdered: request.isOrdered,
                isCompressed: request.isCompressed && limits.compression.level > 0, route: route,
                head: try PropertyBlock.encode(request.properties, limit: limits.propertyBytes), body: body))
    }

    private mutating func enqueueResponse(
        to number: UInt32, isUrgent: Bool, properties: BLIPProperties, body: BLIPBody, isCompressed: Bool
    ) throws(BLIPError) {
        let reader: BodyReader
        do {
            reader = try BodyReader(body)
        } catch {
            // No byte is sent yet, so the peer can get an error instead.
            return try enqueueFailure(to: number, isUrgent: isUrgent, .http(500, message: "The content cannot be read"))
        }
        try insert(
            OutgoingMessage(
                type: .response, number: number, isUrgent: isUrgent,
                isCompressed: isCompressed && limits.compression.level > 0,
                head: try PropertyBlock.encode(properties, limit: limits.propertyBytes), body: reader))
    }

    private mutating func enqueueFailure(
        to number: UInt32, isUrgent: Bool, _ error: BLIPErrorReply
    ) throws(BLIPError) {
        let head = try PropertyBlock.encode(error.properties, limit: limits.propertyBytes)
        let body = BodyReader(bytes: ByteBuffer(string: error.message))
        try insert(
            OutgoingMessage(
                type: .error, number: number, isUrgent: isUrgent, isCompressed: false, head: head, body: body))
    }

    private mutating func insert(_ message: OutgoingMessage) throws(BLIPError) {
        outgoing.bytes += message.bytesInMemory
        guard outgoing.bytes <= limits.queuedBytes else {
            throw BLIPError(.queueFull, detail: "\(outgoing.bytes) bytes wait to be sent")
        }
        outgoing.queue.insert(message)
    }

    /// The next frame for the wire, or `nil` when there is nothing that may be sent now.
    ///
    /// Acknowledgements go first, since the peer may be waiting for them.
    public mutating func nextFrame() throws(BLIPError) -> ByteBuffer? {
        if let acknowledgement = outgoing.acknowledgements.popFirst() { return acknowledgement }
        guard var message = outgoing.queue.popFirst() else { return nil }
        if message.number == 0 { try number(&message) }
        let bytesBefore = message.bytesInMemory
        let budget =
            !message.isUrgent && outgoing.queue.isUrgentNext ? limits.frameBytesWhenUrgentWaits : limits.frameBytes
        let payload = try message.nextPayload(upTo: budget - FrameEncoder.overhead)
        let header = FrameHeader(number: message.number, type: message.type, flags: message.flags)
        let (frame, size) = try encoder.encode(header, payload: payload)
        outgoing.bytes += message.bytesInMemory - bytesBefore
        if message.isAtEnd { finish(message) } else { goOn(message, sent: size) }
        return frame
    }

    private mutating func number(_ message: inout OutgoingMessage) throws(BLIPError) {
        guard outgoing.lastNumber < .max else {
            throw BLIPError(.tooManyMessages, detail: "the connection has used all numbers of messages")
        }
        outgoing.lastNumber += 1
        message.number = outgoing.lastNumber
        guard let route = message.route, route.isExpected else { return }
        replies.awaited[outgoing.lastNumber] = route
        if route.streams { replies.streams[outgoing.lastNumber] = false }
    }

    private mutating func finish(_ message: OutgoingMessage) {
        outgoing.flows[message.key] = nil
        if let route = message.route { events.append(.sent(tag: route.tag)) }
    }

    private mutating func goOn(_ message: OutgoingMessage, sent size: Int) {
        var flow = outgoing.flows[message.key] ?? FlowControl()
        flow.sent += UInt64(size)
        outgoing.flows[message.key] = flow
        if message.isOrdered {
            outgoing.queue.insertNext(message)
        } else if flow.unacknowledged >= limits.flow.stallBytes {
            outgoing.stalled[message.key] = message
        } else {
            outgoing.queue.insert(message)
        }
    }

    /// The peer has received so many bytes of a message. A count for a message that is complete or unknown is ignored.
    mutating func acknowledged(_ key: MessageKey, bytes: UInt64) {
        guard var flow = outgoing.flows[key] else { return }
        flow.acknowledged = max(flow.acknowledged, bytes)
        outgoing.flows[key] = flow
        guard flow.unacknowledged < limits.flow.stallBytes, let message = outgoing.stalled.removeValue(forKey: key)
        else { return }
        outgoing.queue.insert(message)
    }
}
