import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import SyncProtocol
import Testing
import TranscriptSupport

/// The recorded client's half of each conversation, answered by our machine instead of Sync Gateway.
@Suite struct PassiveTranscriptTests {
    @Test(arguments: try! Transcript.names())
    func ourAnswersMeanWhatTheRecordedOnesMean(name: String) throws {
        let transcript = try Transcript.load(name)
        for connection in transcript.connections {
            guard let conversation = try RecordedConversation(transcript, connection) else { continue }
            var replay = PassiveReplay(conversation)
            replay.run()
            for problem in replay.problems { Issue.record("\(name), connection \(connection): \(problem)") }
        }
    }
}

/// Feeds a session with the client's messages and compares what it sends.
private struct PassiveReplay {
    private let conversation: RecordedConversation
    private var peer: PassivePeer
    private var store: RecordedStore
    /// The recorded gateway's requests that the session has not sent yet.
    private var expectedRequests: [RecordedConversation.Entry]
    private var expectedReplies: Set<UInt32>
    /// Our tags by the recorded gateway's numbers.
    private var tags: [UInt32: UInt64] = [:]
    private var isStreamed: Set<UInt64> = []
    /// Replies of the client to what the session has yet to send.
    private var early: [TranscriptMessage] = []
    private(set) var problems: [String] = []

    init(_ conversation: RecordedConversation) {
        self.conversation = conversation
        peer = PassivePeer(
            PassiveSession(
                version: conversation.version, hasDefaultCollection: !conversation.lacksDefaultCollection))
        store = RecordedStore(conversation)
        expectedRequests = conversation.requests(.toClient)
        expectedReplies = Set(
            conversation.entries.filter { $0.direction == .toClient && $0.message.type != .request }
                .map(\.message.number))
    }

    mutating func run() {
        for entry in conversation.entries where entry.direction == .toServer {
            receive(entry.message)
            retryEarly()
        }
        problems += expectedRequests.map { "not sent: \($0.message.properties) \($0.message.body)" }
        problems += expectedReplies.sorted().map { "not answered: \($0)" }
        problems += early.map { "a reply to what was not sent: \($0.number)" }
    }

    private mutating func receive(_ message: TranscriptMessage) {
        switch message.type {
        case .request:
            store.request = message
            receive(.request(message.blipMessage))
        case .response, .error:
            guard let tag = tags[message.number] else { return early.append(message) }
            receive(event(message, tag))
        case .acknowledgeRequest, .acknowledgeReply: break
        }
    }

    private func event(_ message: TranscriptMessage, _ tag: UInt64) -> BLIPIncoming {
        if let failure = message.failure { return .failure(tag: tag, failure) }
        guard isStreamed.contains(tag) else { return .response(tag: tag, message.blipMessage) }
        return .responsePart(tag: tag, message.blipMessage.body, isLast: true)
    }

    private mutating func retryEarly() {
        let waiting = early
        early = []
        for message in waiting { receive(message) }
    }

    private mutating func receive(_ event: BLIPIncoming) {
        peer.receive([event])
        var sent: [BLIPOutgoing]
        repeat {
            peer.doAllWork(in: &store)
            sent = peer.takeSent()
            for message in sent { compare(message) }
        } while !sent.isEmpty
        if let (code, reason) = peer.closing { problems.append("closed with \(code) \(reason)") }
    }

    private mutating func compare(_ outgoing: BLIPOutgoing) {
        switch outgoing {
        case .request(let request, let tag): compare(request, tag)
        case .response(let number, let properties, let body, let isCompressed):
            compareReply(
                number,
                MessageMeaning(
                    properties: MessageMeaning.dictionary(properties), body: MessageMeaning.body(body.inMemory),
                    isNoReply: false, isCompressed: isCompressed))
        case .failure(let number, let error):
            compareReply(
                number,
                MessageMeaning(
                    properties: ["Error-Domain": error.domain, "Error-Code": String(error.code)],
                    body: MessageMeaning.body(Array(error.message.utf8)), isError: true, isNoReply: false,
                    isCompressed: false))
        }
    }

    private mutating func compare(_ request: BLIPRequest, _ tag: UInt64) {
        let meaning = MessageMeaning(request)
        guard let index = expectedRequests.firstIndex(where: { $0.message.meaning == meaning }) else {
            return problems.append("not in the recording: \(request.properties) \(meaning.body)")
        }
        let recorded = expectedRequests.remove(at: index).message
        tags[recorded.number] = tag
        if request.streamsReply { isStreamed.insert(tag) }
        peer.receive([.sent(tag: tag)])
    }

    private mutating func compareReply(_ number: UInt32, _ meaning: MessageMeaning) {
        guard let recorded = conversation.gatewaysReply(to: number)?.message else {
            // The recording may have ended before the gateway could answer.
            return
        }
        expectedReplies.remove(number)
        // The store has compared what was asked for.
        if conversation.isAttachment(number), !meaning.isError { return }
        if recorded.meaning != meaning {
            problems.append("the reply to \(number) is \(meaning) instead of \(recorded.meaning)")
        }
    }
}
