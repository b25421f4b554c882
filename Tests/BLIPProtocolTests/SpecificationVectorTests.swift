import NIOCore
import Testing

@testable import BLIPProtocol

/// The worked examples of the protocol's description, to the byte.
@Suite struct SpecificationVectorTests {
    static let a1 = hex(
        """
        01 00 24 50 72 6F 66 69 6C 65 00 67 65 74 43 68 65 63 6B 70 6F 69 6E 74 00
        63 6C 69 65 6E 74 00 63 70 2D 61 62 63 00 55 75 19 7F
        """)
    static let a2 = hex(
        """
        02 00 36 50 72 6F 66 69 6C 65 00 73 75 62 43 68 61 6E 67 65 73 00 73 69 6E 63 65 00 34 32 00
        62 61 74 63 68 00 32 30 30 00 63 6F 6E 74 69 6E 75 6F 75 73 00 74 72 75 65 00  57 DD 9E 7E
        """)
    static let a3 = hex(
        """
        01 09 52 CD 4D AC F0 C8 2C 2E C9 2F AA 64 30 35 60 48 CA C9 4F 2A 66 28 29 2A 4D 65
        48 49 CD 29 49 84 B2 A3 A3 63 75 0C 62 01 00  80 25 96 8A
        """)
    static let b1 = hex(
        """
        01 02 21 45 72 72 6F 72 2D 44 6F 6D 61 69 6E 00 48 54 54 50 00 45 72 72 6F 72 2D 43 6F 64 65 00
        34 30 34 00 6D 69 73 73 69 6E 67  92 10 DE BC
        """)
    static let b2 = hex("02 01 00  10 47 00 F4")
    static let b3 = hex(
        """
        01 08 1C C8 31 0E 80 20 0C 00 40 DE D2 19 34 20 3F F0 03 0E 6E 84 01 A1 28 86 B4 44 59 FC BD C6
        1B 6F 58 2E CE A5 A2 88 47 A0 1D 6F 31 33 75 A4 AE D6 A7 A1 08 AD D5 12 43 2F 4C E3 79 33 09 E7
        EC 24 21 71 D4 20 41 AB B0 45 F0 D2 59 FB 9F F9 CE A8 84 19 A4 F6 FE 05  FB BF 75 3C
        """)
    static let b4 = hex(
        """
        02 28 F2 80 99 5C 94 5A 46 C0 D4 CC 14 06 90 91 60 95 60 43 19 8A 53 0B 4B 53 F3 92 53 19 4C 8C
        19 AA 95 F2 12 73 53 95 AC 94 D2 32 8B 8A 4B 94 6A 01 00  2E D9 FC 51
        """)
    static let b5 = hex("03 28 D2 23 CD C9 79 A5 39 39 00 00  77 9E 68 3A")

    static let getCheckpoint: BLIPProperties = ["Profile": "getCheckpoint", "client": "cp-abc"]
    static let subChanges: BLIPProperties = [
        "Profile": "subChanges", "since": "42", "batch": "200", "continuous": "true",
    ]
    static let changes: BLIPProperties = ["Profile": "changes", "Content-Type": "application/json"]
    static let changesReply: BLIPProperties = ["maxHistory": "50", "blobs": "true", "deltas": "true"]

    @Test func bothSidesDecodeTheExamples() throws {
        var client = BLIPEngine()
        var server = BLIPEngine()
        try client.send(Self.getCheckpoint, tag: 71)
        try client.send(Self.subChanges, tag: 72)
        _ = try client.frames()

        let requests = try server.receive(all: [Self.a1, Self.a2]).compactMap(\.request)
        #expect(requests.map(\.properties) == [Self.getCheckpoint, Self.subChanges])
        #expect(requests.map(\.number) == [1, 2])

        let answers = try client.receive(all: [Self.b1, Self.b2])
        #expect(answers.first == .failure(tag: 71, .http(404, message: "missing")))
        #expect(answers.last == .response(tag: 72, BLIPMessage(kind: .response, number: 2, properties: [:])))

        let pushed = try client.receive(all: [Self.b3, Self.b4, Self.b5]).compactMap(\.request)
        #expect(pushed.map(\.profile) == ["changes", "rev", "changes"])
        #expect(pushed.map(\.isNoReply) == [false, true, true])
        #expect(pushed[0].bodyBytes == Array(#"[[43,"doc1","1-abc"],[44,"doc2","2-def",1]]"#.utf8))
        #expect(pushed[1].properties["sequence"] == "43")
        #expect(pushed[1].bodyBytes == Array(#"{"name":"first"}"#.utf8))
        #expect(pushed[2].bodyBytes == Array("null".utf8))

        // The client's answer to the server's first request.
        try server.send(Self.changes, tag: 91, isCompressed: true)
        _ = try server.frames()
        let reply = try #require(try server.receive(all: [Self.a3]).first?.response)
        #expect(reply.properties == Self.changesReply)
        #expect(reply.bodyBytes == Array("[[],0]".utf8))
    }

    @Test func theClientMakesTheSameBytes() throws {
        var client = BLIPEngine(limits: .reference)
        try client.send(Self.getCheckpoint)
        try client.send(Self.subChanges)
        #expect(try client.frames() == [Self.a1, Self.a2])
        _ = try client.receive(all: [Self.b1, Self.b2, Self.b3])
        try client.enqueue(
            .response(to: 1, properties: Self.changesReply, body: .bytes(Array("[[],0]".utf8)), isCompressed: true))
        #expect(try client.frames() == [Self.a3])
    }

    @Test func theServerMakesTheSameBytes() throws {
        var server = BLIPEngine(limits: .reference)
        _ = try server.receive(all: [Self.a1, Self.a2])
        try server.enqueue(.failure(to: 1, .http(404, message: "missing")))
        try server.enqueue(.response(to: 2, properties: [:], body: .empty, isCompressed: false))
        #expect(try server.frames() == [Self.b1, Self.b2])
        let rows = #"[[43,"doc1","1-abc"],[44,"doc2","2-def",1]]"#
        try server.send(Self.changes, .bytes(Array(rows.utf8)), isCompressed: true)
        try server.send(
            [
                "Profile": "rev", "Content-Type": "application/json", "id": "doc1", "rev": "1-abc", "sequence": "43",
            ], .bytes(Array(#"{"name":"first"}"#.utf8)), isCompressed: true, isNoReply: true)
        try server.send(Self.changes, .bytes(Array("null".utf8)), isCompressed: true, isNoReply: true)
        #expect(try server.frames() == [Self.b3, Self.b4, Self.b5])
    }

    @Test func aFragmentedMessageIsJoined() throws {
        var engine = BLIPEngine()
        engine.lastReceivedNumber = 4
        try engine.receive(hex("05 40 0A 50 72 6F 66 69 6C 65             27 64 8F 4C"))
        #expect(engine.takeEvents().isEmpty)
        try engine.receive(hex("05 00 00 78 00 30 31 32 33 34 35 36 37 38 39  10 D4 3B EA"))
        let request = try #require(engine.takeEvents().first?.request)
        #expect(request.properties == ["Profile": "x"])
        #expect(request.bodyBytes == Array("0123456789".utf8))
    }

    @Test func acknowledgementsHaveTheirBytes() {
        let request = FrameEncoder.acknowledgement(of: MessageKey(number: 7, isReply: false), bytes: 50_004)
        #expect(request == hex("07 34 D4 86 03"))
        let reply = FrameEncoder.acknowledgement(of: MessageKey(number: 300, isReply: true), bytes: 131_072)
        #expect(reply == hex("AC 02 35 80 80 08"))
    }

    @Test(arguments: [
        (0, "00"), (127, "7F"), (128, "80 01"), (300, "AC 02"), (16_384, "80 80 01"), (50_000, "D0 86 03"),
        (128_000, "80 E8 07"), (UInt64(UInt32.max), "FF FF FF FF 0F"),
        (UInt64.max, "FF FF FF FF FF FF FF FF FF 01"),
    ])
    func varintsHaveTheirBytes(value: UInt64, bytes: String) {
        var written = ByteBuffer()
        written.writeVarint(value)
        #expect(written == hex(bytes))
        #expect(written.readVarint() == value)
        #expect(written.readableBytes == 0)
    }

    @Test(arguments: ["", "80", "FF FF FF FF FF FF FF FF FF 02", "FF FF FF FF FF FF FF FF FF FF 01"])
    func badVarintsAreNone(bytes: String) {
        var buffer = hex(bytes)
        #expect(buffer.readVarint() == nil)
        #expect(buffer.readerIndex == 0)
    }
}
