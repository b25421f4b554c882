import BLIPProtocol
import DocumentValues
import SyncModels
import TranscriptSupport

@testable import SyncProtocol

extension FuzzTarget {
    /// A client that says anything at all, over a model of a gateway's database: every request gets one answer, and
    /// nothing is left over.
    static let passiveSession = FuzzTarget(
        name: "passive-session", seeds: { try ScriptedMessages.seeds(.toServer, between: "\u{1E}J\u{1E}S") }
    ) { bytes in
        var world = PassiveWorld(isNamed: bytes.count.isMultiple(of: 2))
        for entry in ScriptedMessages.entries(bytes) { world.take(entry) }
        world.drain()
    }
}

private struct PassiveWorld {
    private var peer: PassivePeer
    private var gateway: ModelGateway
    private var unanswered: Set<UInt32> = []
    private var questions: [(request: BLIPRequest, tag: UInt64)] = []
    private var unsent: [UInt64] = []

    init(isNamed: Bool) {
        peer = PassivePeer(
            PassiveSession(
                version: isNamed ? .version3 : .version2, hasDefaultCollection: !isNamed, usesDeltas: true,
                allowsConflicts: !isNamed))
        gateway = ModelGateway(collections: 8, channels: ["north"])
        for id in ["a", "b", "c"] { gateway.edit(id, in: 0, body: #"{"c":"north"}"#, isDeleted: false) }
    }

    mutating func take(_ entry: ScriptedMessages.Entry) {
        switch entry.kind {
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            if !entry.message.isNoReply { unanswered.insert(entry.message.number) }
            receive([.request(entry.message)])
        case UInt8(ascii: "R"): answer(entry) { .response(tag: $0, entry.message) }
        case UInt8(ascii: "E"): answer(entry) { .failure(tag: $0, BLIPErrorReply(entry.message)) }
        case UInt8(ascii: "P"): part(entry)
        case UInt8(ascii: "L"): answer(entry) { .responsePart(tag: $0, entry.message.body, isLast: true) }
        case UInt8(ascii: "S"): reportSent()
        default: doWork()
        }
    }

    /// The connection's own machine sees to it that a reply is of the kind that was asked for.
    private mutating func answer(_ entry: ScriptedMessages.Entry, _ event: (UInt64) -> BLIPIncoming) {
        guard !questions.isEmpty else { return }
        let question = questions.remove(at: entry.position % questions.count)
        let event = event(question.tag)
        switch event {
        case .response where question.request.streamsReply:
            receive([.responsePart(tag: question.tag, entry.message.body, isLast: true)])
        case .responsePart where !question.request.streamsReply:
            receive([.response(tag: question.tag, entry.message)])
        case .request, .response, .failure, .responsePart, .sent: receive([event])
        }
    }

    private mutating func part(_ entry: ScriptedMessages.Entry) {
        guard let question = questions.first(where: \.request.streamsReply) else { return }
        receive([.responsePart(tag: question.tag, entry.message.body, isLast: false)])
    }

    private mutating func reportSent() {
        let tags = unsent
        unsent = []
        receive(tags.map { .sent(tag: $0) })
    }

    /// What follows from it waits for the next time.
    private mutating func doWork() {
        var index = 0
        for _ in peer.work.indices where !peer.doWork(at: index, in: &gateway) { index += 1 }
        takeSent()
    }

    mutating func drain() {
        for _ in 0..<1_000 where !(peer.work.isEmpty && questions.isEmpty && unsent.isEmpty) {
            doWork()
            if !questions.isEmpty {
                let question = questions.removeFirst()
                receive([.failure(tag: question.tag, .http(500))])
            }
            reportSent()
        }
        let session = peer.session
        check(unanswered.isEmpty, "not answered: \(unanswered.sorted())")
        check(session.heldBytes == 0 && session.bytesToSend == 0, "bytes are left over")
        check(session.context.revisions.openDeltas == 0 && session.deltas.isEmpty, "differences are left over")
        check(session.context.revisions.openBatches == 0 && session.attachments.isEmpty, "something is still open")
        check(
            session.collections.allSatisfy { $0.feed.isEmpty && $0.receiver.isIdle }, "a collection is not done")
        check(gateway.keptAttachments == 0, "attachments are kept for nobody")
    }

    private mutating func receive(_ events: [BLIPIncoming]) {
        peer.receive(events)
        peer.release(in: &gateway)
        takeSent()
    }

    private mutating func takeSent() {
        for message in peer.takeSent() { sent(message) }
    }

    private mutating func sent(_ message: BLIPOutgoing) {
        switch message {
        case .request(let request, let tag):
            unsent.append(tag)
            if !request.isNoReply { questions.append((request, tag)) }
        case .response(let number, _, _, _), .failure(let number, _): answered(number)
        }
    }

    private mutating func answered(_ number: UInt32) {
        check(unanswered.remove(number) != nil, "request \(number) is answered twice, or wants no answer")
    }
}
