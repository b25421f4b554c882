import NIOCore

extension BLIPEngine {
    /// Takes in a frame from the wire.
    public mutating func receive(_ frame: ByteBuffer) throws(BLIPError) {
        guard frame.readableBytes <= limits.receivedFrameBytes else {
            throw BLIPError(.frameTooLarge, detail: "a frame of \(frame.readableBytes) bytes")
        }
        var frame = frame
        let header = try FrameHeader(reading: &frame)
        switch header.type {
        case .request, .response, .error: try receive(header, frame: frame)
        case .acknowledgeRequest: receiveAcknowledgement(header, frame: frame, isReply: false)
        case .acknowledgeReply: receiveAcknowledgement(header, frame: frame, isReply: true)
        }
    }

    private mutating func receiveAcknowledgement(_ header: FrameHeader, frame: ByteBuffer, isReply: Bool) {
        var frame = frame
        // A count that cannot be read is ignored, as in both reference implementations.
        guard let bytes = frame.readVarint() else { return }
        acknowledged(MessageKey(number: header.number, isReply: isReply), bytes: bytes)
    }

    private mutating func receive(_ header: FrameHeader, frame: ByteBuffer) throws(BLIPError) {
        guard var message = try message(for: header) else {
            // A late reply is useless, but its bytes are part of the compressed stream and of the checksum.
            var ignored = ByteBuffer()
            return try decoder.decode(header, frame: frame, to: &ignored)
        }
        try decoder.decode(header, frame: frame, to: &message.content)
        if header.flags.contains(.moreComing) {
            try keep(&message, frameSize: frame.readableBytes)
        } else {
            try complete(message, header: header)
            releaseHeldRequests()
            releaseAcknowledgements()
        }
    }

    /// The message to which a frame belongs, or a new one. `nil` for a reply that is not waited for any more.
    private mutating func message(for header: FrameHeader) throws(BLIPError) -> IncomingMessage? {
        let key = MessageKey(number: header.number, isReply: header.type != .request)
        if let known = incomplete.messages.removeValue(forKey: key) {
            incomplete.bytes -= known.content.readableBytes
            return known
        }
        guard key.isReply else {
            guard header.number == lastReceivedNumber &+ 1 else {
                throw BLIPError(
                    .unexpectedNumber, detail: "request \(lastReceivedNumber &+ 1) should come",
                    messageNumber: header.number)
            }
            lastReceivedNumber = header.number
            return IncomingMessage(key: key, type: header.type)
        }
        guard header.number <= outgoing.lastNumber else {
            throw BLIPError(.unexpectedNumber, detail: "a reply to no request", messageNumber: header.number)
        }
        guard let route = replies.awaited[header.number] else { return nil }
        return IncomingMessage(key: key, type: header.type, route: route)
    }

    private mutating func keep(_ message: inout IncomingMessage, frameSize: Int) throws(BLIPError) {
        if message.wantsStreaming {
            let part = try message.takePart(limit: limits.propertyBytes)
            if part.readableBytes > 0, let tag = message.route?.tag {
                events.append(.responsePart(tag: tag, part, isLast: false))
            }
        }
        try checkSize(of: &message)
        incomplete.bytes += message.content.readableBytes
        guard incomplete.messages.count < limits.incompleteMessages, incomplete.bytes <= limits.incompleteBytes else {
            throw BLIPError(
                .tooManyMessages,
                detail: "\(incomplete.messages.count + 1) messages are incomplete, \(incomplete.bytes) bytes")
        }
        if message.countFrame(of: frameSize, threshold: limits.flow.acknowledgeBytes) { acknowledge(&message) }
        incomplete.messages[message.key] = message
    }

    /// A streamed reply takes no room here, because its parts are handed out as they arrive. When there is no more room
    /// for the other messages, only one of them is acknowledged: the senders of the others stop until it is complete.
    private mutating func acknowledge(_ message: inout IncomingMessage) {
        let hasRoom = message.wantsStreaming || incomplete.bytes <= limits.acknowledgedIncompleteBytes
        let isLed = incomplete.leading.map { $0 != message.key && incomplete.messages[$0] != nil } ?? false
        if hasRoom || !isLed {
            if !hasRoom { incomplete.leading = message.key }
            outgoing.acknowledgements.append(
                FrameEncoder.acknowledgement(of: message.key, bytes: message.acknowledge()))
        } else if !message.isWithheld {
            message.isWithheld = true
            incomplete.withheld.append(message.key)
        }
    }

    /// Called when a message is complete: now there is room for all withheld messages, or at least for the next one.
    private mutating func releaseAcknowledgements() {
        while let key = incomplete.withheld.first,
            incomplete.bytes <= limits.acknowledgedIncompleteBytes
                || incomplete.leading.map({ incomplete.messages[$0] == nil }) ?? true
        {
            incomplete.withheld.removeFirst()
            guard var message = incomplete.messages[key], message.isWithheld else { continue }
            incomplete.leading = key
            outgoing.acknowledgements.append(FrameEncoder.acknowledgement(of: key, bytes: message.acknowledge()))
            incomplete.messages[key] = message
        }
    }

    private mutating func complete(_ message: IncomingMessage, header: FrameHeader) throws(BLIPError) {
        var message = message
        try checkSize(of: &message)
        guard !message.isRefused else { return try refuse(header) }
        if let route = message.route {
            replies.awaited[message.key.number] = nil
            if route.streams { replies.streams[message.key.number] = nil }
            guard !message.wantsStreaming else { return try completeStream(&message, tag: route.tag) }
            let whole = try wholeMessage(&message, header: header)
            events.append(
                whole.kind == .error
                    ? .failure(tag: route.tag, BLIPErrorReply(whole)) : .response(tag: route.tag, whole))
        } else {
            try completeRequest(wholeMessage(&message, header: header))
        }
    }

    private func checkSize(of message: inout IncomingMessage) throws(BLIPError) {
        guard message.isRefused || message.content.readableBytes > limits.messageBytes else { return }
        guard limits.refusesLargeRequests, message.type == .request else {
            throw BLIPError(
                .messageTooLarge, detail: "more than \(limits.messageBytes) bytes", messageNumber: message.key.number)
        }
        message.refuse()
    }

    /// Answers a request whose content was discarded, as Sync Gateway answers a document of more than 20 MB.
    private mutating func refuse(_ header: FrameHeader) throws(BLIPError) {
        guard !header.flags.contains(.noReply) else { return }
        try countUnanswered(header.number, isUrgent: header.flags.contains(.urgent))
        try enqueue(.failure(to: header.number, .http(413, message: "Document too large!")))
    }

    private mutating func countUnanswered(_ number: UInt32, isUrgent: Bool) throws(BLIPError) {
        guard replies.unanswered.count < limits.unansweredRequests else {
            throw BLIPError(.tooManyMessages, detail: "\(replies.unanswered.count) requests have no answer yet")
        }
        replies.unanswered[number] = isUrgent
    }

    private mutating func completeStream(_ message: inout IncomingMessage, tag: UInt64) throws(BLIPError) {
        let part = try message.takePart(limit: limits.propertyBytes)
        guard message.isStreaming else {
            throw BLIPError(.badProperties, detail: "they overrun the message", messageNumber: message.key.number)
        }
        events.append(.responsePart(tag: tag, part, isLast: true))
    }

    private mutating func completeRequest(_ request: BLIPMessage) throws(BLIPError) {
        if !request.isNoReply { try countUnanswered(request.number, isUrgent: request.isUrgent) }
        guard let profile = request.profile else {
            return try enqueue(.failure(to: request.number, .unknownProfile(nil)))
        }
        let hasOrder = limits.orderedProfile.map { BLIPProperties.isSame(profile, as: $0) } ?? false
        let isOrdered = request.isNoReply && hasOrder
        let waits = isOrdered && firstIncompleteRequest ?? .max < request.number
        if !waits || !heldRequests.hold(request) { events.append(.request(request)) }
    }

    private var firstIncompleteRequest: UInt32? {
        incomplete.messages.keys.lazy.filter { !$0.isReply }.map(\.number).min()
    }

    private mutating func releaseHeldRequests() {
        guard !heldRequests.isEmpty else { return }
        events += heldRequests.release(before: firstIncompleteRequest).map { .request($0) }
    }

    private func wholeMessage(
        _ message: inout IncomingMessage, header: FrameHeader
    ) throws(BLIPError) -> BLIPMessage {
        guard let properties = try PropertyBlock.decode(from: &message.content, limit: limits.propertyBytes) else {
            throw BLIPError(.badProperties, detail: "they overrun the message", messageNumber: header.number)
        }
        let kind: BLIPMessage.Kind =
            switch message.type {
            case .response: .response
            case .error: .error
            case .request, .acknowledgeRequest, .acknowledgeReply: .request
            }
        return BLIPMessage(
            kind: kind, number: header.number, properties: properties, body: message.content,
            isUrgent: header.flags.contains(.urgent), isCompressed: header.flags.contains(.compressed),
            isNoReply: header.flags.contains(.noReply))
    }
}
