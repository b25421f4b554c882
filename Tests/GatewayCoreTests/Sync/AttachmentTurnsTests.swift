import Testing

@testable import GatewayCore

/// Which attachments are sent now and which have to wait.
@Suite struct AttachmentTurnsTests {
    private static let piece = GatewayLimits.attachmentPiece

    private enum Step: Sendable {
        /// The client asks for so many.
        case ask(Int)
        case end(Int)
        /// With so much room, so many attachments begin.
        case begins(Int, room: Int)
    }

    private static let most = GatewayLimits.attachmentsSentAtOnce
    private static let histories: [(name: String, steps: [Step])] = [
        ("a few", [.ask(3), .begins(3, room: .max), .begins(0, room: .max)]),
        ("many", [.ask(100), .begins(most, room: .max), .end(5), .begins(5, room: .max)]),
        ("no room", [.ask(3), .begins(1, room: 0), .begins(0, room: 0), .end(1), .begins(1, room: -1)]),
        ("room for two", [.ask(9), .begins(2, room: 2 * piece), .begins(0, room: 0), .begins(1, room: piece)]),
        ("room for less than one", [.ask(2), .begins(1, room: piece - 1), .begins(0, room: piece - 1)]),
        (
            "none was asked for",
            [.begins(0, room: .max), .ask(1), .begins(1, room: 0), .end(1), .begins(0, room: .max)]
        ),
    ]

    @Test(arguments: histories.indices) func someAreSentAtOnce(index: Int) {
        let history = Self.histories[index]
        var turns = AttachmentTurns()
        var asked: UInt32 = 0
        var begun: [UInt32] = []
        var ended = 0
        for step in history.steps {
            switch step {
            case .ask(let count):
                for _ in 0..<count {
                    let isTaken = turns.add(request(asked))
                    #expect(isTaken)
                    asked += 1
                }
            case .end(let count):
                for _ in 0..<count { turns.end() }
                ended += count
            case .begins(let count, let room):
                let next = turns.next(room: room).map(\.number)
                #expect(next.count == count, "\(history.name)")
                begun += next
            }
            #expect(turns.bytes == (begun.count - ended) * Self.piece, "\(history.name)")
        }
        #expect(begun == Array(0..<UInt32(begun.count)), "\(history.name): in the order in which they were asked for")
    }

    @Test func notAnyNumberWaits() {
        var turns = AttachmentTurns()
        let taken = (0...GatewayLimits.waitingAttachments).map { turns.add(request(UInt32($0))) }
        #expect(taken.dropLast().allSatisfy(\.self) && taken.last == false)
        _ = turns.next(room: 0)
        let isTaken = turns.add(request(0))
        #expect(isTaken)
    }

    private func request(_ number: UInt32) -> AskedAttachment {
        AskedAttachment(number: number, collection: 0, documentID: "d", digest: "sha1-x", isCompressed: false)
    }
}
