import BLIPProtocol
import NIOCore

extension FuzzTarget {
    /// Two engines talk in the order that the input says: whatever is sent arrives as it was, compressed or not, in
    /// however many frames.
    static let blipPair = FuzzTarget(
        name: "blip-pair", seeds: { [[0, 1, 2, 3, 4, 5, 6, 7, 0x15, 0x2A, 0x3F, 0xFF, 4, 5, 6, 7, 0xC3, 9, 8, 7]] }
    ) { bytes in
        var pair = EnginePair()
        var input = InputReader(bytes)
        while !input.isAtEnd { try pair.step(&input) }
        try pair.settle()
    }
}

private struct EnginePair: ~Copyable {
    private var left = BLIPEngine(limits: .small)
    private var right = BLIPEngine(limits: .small)
    /// What the left one asked, by tag, and what it may still be answered.
    private var asked: [UInt64: ByteBuffer] = [:]
    private var lastTag: UInt64 = 0

    mutating func step(_ input: inout InputReader) throws {
        let choice = input.byte()
        if choice & 3 == 0 { try ask(choice, &input) }
        if choice & 1 == 1 { try moveRight() }
        if choice & 2 == 2 { try moveLeft() }
    }

    private mutating func ask(_ choice: UInt8, _ input: inout InputReader) throws {
        guard asked.count < 12 else { return }
        lastTag += 1
        let pattern = input.bytes(Int(input.byte() & 7))
        let body = ByteBuffer(
            bytes: (0..<Int(input.byte()) * 12).map { pattern.isEmpty ? 7 : pattern[$0 % pattern.count] })
        asked[lastTag] = body
        let request = BLIPRequest(
            properties: ["Profile": "p", "n": "\(lastTag)"], body: .bytes(body), isUrgent: choice & 4 != 0,
            isCompressed: choice & 8 != 0)
        try left.enqueue(.request(request, tag: lastTag))
    }

    private mutating func moveRight() throws {
        guard let frame = try left.nextFrame() else { return }
        try right.receive(frame)
        for event in right.takeEvents() {
            guard case .request(let request) = event else { continue }
            let tag = request.properties["n"].flatMap { UInt64($0) } ?? 0
            check(asked[tag] == request.body, "request \(tag) arrives changed")
            try right.enqueue(
                .response(
                    to: request.number, properties: [:], body: .bytes(request.body),
                    isCompressed: tag.isMultiple(of: 2)))
        }
    }

    private mutating func moveLeft() throws {
        guard let frame = try right.nextFrame() else { return }
        try left.receive(frame)
        for event in left.takeEvents() {
            guard case .response(let tag, let response) = event else { continue }
            check(asked.removeValue(forKey: tag) == response.body, "the answer to \(tag) arrives changed")
        }
    }

    /// Nothing stalls for ever.
    mutating func settle() throws {
        while left.hasFrames || right.hasFrames {
            try moveRight()
            try moveLeft()
        }
        check(asked.isEmpty, "\(asked.count) requests are never answered")
        check(!left.hasQueuedMessages && !right.hasQueuedMessages, "a message is stalled for ever")
    }
}
