import BLIPProtocol
import DocumentValues
import SyncModels
import TranscriptSupport

@testable import SyncProtocol

extension FuzzTarget {
    /// A gateway that says anything at all, over a store that does what it is asked.
    static let activeSession = FuzzTarget(
        name: "active-session", seeds: { try ScriptedMessages.seeds(.toClient, between: "\u{1E}W") }
    ) { bytes in
        var world = try ActiveWorld(isNamed: bytes.count.isMultiple(of: 2))
        for entry in ScriptedMessages.entries(bytes) { world.take(entry) }
        world.end()
    }
}

private struct ActiveWorld {
    private var peer: ActivePeer<ObedientStore>
    private var unanswered: Set<UInt32> = []
    private var questions: [(request: BLIPRequest, tag: UInt64)] = []

    init(isNamed: Bool) throws {
        let names = isNamed ? ["field.sites", "field.findings"] : ["_default"]
        var configuration = ActiveConfiguration(
            collections: try names.map {
                .init(name: try CollectionName(parsing: $0), checkpointID: "cp-\($0)")
            }, pushes: true, pulls: true, mark: "b")
        configuration.isContinuous = isNamed
        configuration.collections[0].localCheckpoint = Array(#"{"local":1,"remote":"2","mark":"a"}"#.utf8)
        peer = ActivePeer(configuration, store: ObedientStore(), now: 1_800_000_000_000)
        peer.resolvesAtOnce = true
        peer.connect(isNamed ? .version3 : .version2)
        takeSent()
    }

    mutating func take(_ entry: ScriptedMessages.Entry) {
        peer.now += 100
        switch entry.kind {
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            if !entry.message.isNoReply { unanswered.insert(entry.message.number) }
            peer.receive([.request(entry.message)])
        case UInt8(ascii: "R"): answer(entry, isError: false)
        case UInt8(ascii: "E"): answer(entry, isError: true)
        case UInt8(ascii: "C"): peer.committed(in: [0])
        case UInt8(ascii: "T"): peer.stop()
        default:
            peer.now += 10_000
            peer.wake()
        }
        takeSent()
    }

    mutating func end() {
        peer.lose()
        takeSent()
    }

    private mutating func answer(_ entry: ScriptedMessages.Entry, isError: Bool) {
        guard !questions.isEmpty else { return }
        let question = questions.remove(at: entry.position % questions.count)
        let event: BLIPIncoming =
            isError
            ? .failure(tag: question.tag, BLIPErrorReply(entry.message))
            : question.request.streamsReply
                ? .responsePart(tag: question.tag, entry.message.body, isLast: true)
                : .response(tag: question.tag, entry.message)
        peer.receive([event])
    }

    private mutating func takeSent() {
        for message in peer.takeSent() { sent(message) }
    }

    private mutating func sent(_ message: BLIPOutgoing) {
        switch message {
        case .request(let request, let tag): if !request.isNoReply { questions.append((request, tag)) }
        case .response(let number, _, _, _), .failure(let number, _): answered(number)
        }
    }

    private mutating func answered(_ number: UInt32) {
        check(unanswered.remove(number) != nil, "request \(number) is answered twice, or wants no answer")
    }
}
