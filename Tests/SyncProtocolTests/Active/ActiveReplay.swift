import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import TranscriptSupport

@testable import SyncProtocol

/// Plays one recorded connection to our machine: the recorded gateway's messages come when they came, as far as they
/// are answers to what we have sent; what we send has to mean what the recorded client sent.
struct ActiveReplay {
    var peer: ActivePeer<ModelClient>
    private let log: MessageLog
    private let arguments: RecordedClientArguments
    private var revisionOfCheckpoint = 0
    /// The gateway's checkpoints as we have saved them, by their ids.
    var serverCheckpoints: [String: [UInt8]]
    /// What the recorded client sent and we have not yet.
    private var expected: [RecordedMessage] = []
    /// What we have sent and the recorded client had not yet.
    private var surplus: [(message: BLIPMessage, tag: UInt64)] = []
    private var surplusReplies: [UInt32: BLIPOutgoing] = [:]
    private var tags: [UInt32: UInt64] = [:]
    private var heldReplies: [UInt32: RecordedMessage] = [:]
    private(set) var problems: [String] = []
    /// The last checkpoints that were sent, by collection.
    private(set) var checkpoints: [Int: Checkpoint] = [:]
    private(set) var recordedCheckpoints: [Int: Checkpoint] = [:]

    init(
        _ peer: ActivePeer<ModelClient>, _ log: MessageLog, _ arguments: RecordedClientArguments,
        serverCheckpoints: [String: [UInt8]]
    ) {
        self.serverCheckpoints = serverCheckpoints
        self.peer = peer
        self.log = log
        self.arguments = arguments
    }

    mutating func connect(_ version: SyncSubprotocol) {
        peer.connect(version)
        sortSent()
    }

    mutating func stop() {
        peer.stop()
        sortSent()
    }

    mutating func edited(in index: Int) {
        peer.committed(in: [index])
        sortSent()
    }

    mutating func play(_ recorded: RecordedMessage) {
        switch recorded.direction {
        case .toServer: expect(recorded)
        case .toClient where recorded.message.kind == .request: peer.receive([.request(recorded.message)])
        case .toClient: answer(recorded)
        }
        sortSent()
    }

    mutating func finish() {
        // Checkpoints that are saved now and then are due by the end.
        while peer.wakeUp != nil, peer.closing == nil {
            peer.wake()
            sortSent()
        }
        let missing = expected.filter { !Self.isIncidental($0.message) }
        problems += missing.map { "n\($0.record) was not sent: \(Self.text($0.message))" }
        let unasked = surplus.filter { !Self.isIncidental($0.message) }
        problems += unasked.map { "sent beyond the recording: \(Self.text($0.message))" }
    }

    // MARK: - Matching

    private mutating func expect(_ recorded: RecordedMessage) {
        if recorded.message.kind == .request {
            if let (index, checkpoint) = Self.checkpoint(recorded.message) { recordedCheckpoints[index] = checkpoint }
            guard let position = surplus.firstIndex(where: { isEquivalent($0.message, recorded.message) }) else {
                return expected.append(recorded)
            }
            matched(recorded, surplus.remove(at: position).tag)
        } else if let ours = surplusReplies.removeValue(forKey: recorded.number) {
            compare(ours, recorded)
        } else {
            expected.append(recorded)
        }
    }

    private mutating func matched(_ recorded: RecordedMessage, _ tag: UInt64) {
        tags[recorded.number] = tag
        if let held = heldReplies.removeValue(forKey: recorded.number) { answer(held) }
    }

    private mutating func answer(_ reply: RecordedMessage) {
        guard let request = log.request(for: reply)?.message, !Self.isCheckpoint(request) || isFirstQuestion(reply)
        else { return }
        guard let tag = tags[reply.number] else {
            heldReplies[reply.number] = reply
            return
        }
        if reply.isError {
            peer.receive([.failure(tag: tag, BLIPErrorReply(reply.message))])
        } else if Self.isCheckpoint(request) || request.profile == MessageProfile.getCollections.rawValue {
            peer.receive([.response(tag: tag, withOurCheckpoints(reply.message))])
        } else if request.profile == MessageProfile.getAttachment.rawValue {
            peer.receive([.responsePart(tag: tag, reply.message.body, isLast: true)])
        } else {
            peer.receive([.response(tag: tag, reply.message)])
        }
        sortSent()
    }

    /// The recorded checkpoints hold the recorded client's local sequences; those that we saved replace them.
    private func withOurCheckpoints(_ recorded: BLIPMessage) -> BLIPMessage {
        var message = recorded
        let names = peer.session.configuration.collections
        if let reply = GetCollectionsReply(recorded) {
            let entries = zip(reply.entries, names).map { entry, part -> GetCollectionsReply.Entry in
                switch entry {
                case .unknown, .noCheckpoint: return entry
                case .checkpoint(let object, let revision):
                    let ours = serverCheckpoints[part.checkpointID].flatMap { try? JSONObject(parsing: $0) }
                    return .checkpoint(ours ?? object, revision: revision)
                }
            }
            message.body = ByteBuffer(bytes: GetCollectionsReply(entries: entries).body)
        } else if let ours = serverCheckpoints[names[0].checkpointID] {
            message.body = ByteBuffer(bytes: ours)
        }
        return message
    }

    /// Without `getCollections` the first `getCheckpoint` is part of the opening.
    private func isFirstQuestion(_ reply: RecordedMessage) -> Bool {
        guard let request = log.request(for: reply) else { return false }
        return request.number == 1 && request.message.profile == MessageProfile.getCheckpoint.rawValue
    }

    private mutating func sortSent() {
        for outgoing in peer.takeSent() {
            switch outgoing {
            case .request(let request, let tag): sent(request.received(), tag)
            case .response(let number, _, _, _), .failure(let number, _): replied(number, outgoing)
            }
        }
    }

    private mutating func sent(_ message: BLIPMessage, _ tag: UInt64) {
        if let (index, checkpoint) = Self.checkpoint(message) { checkpoints[index] = checkpoint }
        if message.profile == MessageProfile.setCheckpoint.rawValue {
            // Checkpoints are answered here: how often they are saved is nobody's business.
            revisionOfCheckpoint += 1
            if let client = message.properties[MessageProperty.client] { serverCheckpoints[client] = message.bodyBytes }
            let reply = BLIPMessage(
                kind: .response, number: 1, properties: [MessageProperty.rev: "0-\(revisionOfCheckpoint)"])
            peer.receive([.response(tag: tag, reply)])
            return sortSent()
        }
        guard
            let position = expected.firstIndex(where: {
                $0.message.kind == .request && isEquivalent(message, $0.message)
            })
        else { return surplus.append((message, tag)) }
        matched(expected.remove(at: position), tag)
    }

    private mutating func replied(_ number: UInt32, _ reply: BLIPOutgoing) {
        guard let position = expected.firstIndex(where: { $0.message.kind != .request && $0.number == number }) else {
            surplusReplies[number] = reply
            return
        }
        compare(reply, expected.remove(at: position))
    }

    // MARK: - Meaning

    private func isEquivalent(_ ours: BLIPMessage, _ recorded: BLIPMessage) -> Bool {
        guard ours.profile == recorded.profile, ours.isNoReply == recorded.isNoReply else { return false }
        switch ours.profile.flatMap({ MessageProfile(rawValue: $0) }) {
        case .getCollections:
            return (try? GetCollections(ours).collections) == (try? GetCollections(recorded).collections)
        case .getCheckpoint: return true
        case .subChanges:
            var wanted = recorded.properties
            wanted[MessageProperty.sendReplacementRevs] = "true"
            return ours.properties == wanted && ours.bodyBytes == recorded.bodyBytes
        case .proposeChanges:
            func rows(_ message: BLIPMessage) -> [[String]]? {
                (try? ProposeChanges(message))?.rows.map { [$0.documentID, $0.revision, $0.serverRevision] }
            }
            // In order: by local sequence.
            return ours.properties == recorded.properties
                && rows(ours).map { Set($0) } == rows(recorded).map { Set($0) }
        case .rev:
            var wanted = recorded.properties
            // Local sequences are of this side only.
            wanted[MessageProperty.sequence] = ours.properties[MessageProperty.sequence]
            return ours.properties == wanted
                && (try? JSONValue(parsing: ours.bodyBytes)) == (try? JSONValue(parsing: recorded.bodyBytes))
        default: return ours.properties == recorded.properties && ours.bodyBytes == recorded.bodyBytes
        }
    }

    private mutating func compare(_ ours: BLIPOutgoing, _ recorded: RecordedMessage) {
        guard case .response(let number, let properties, .bytes(let body), _) = ours else {
            return problems.append("n\(recorded.record) was answered by \(ours)")
        }
        let bytes = Array(body.readableBytesView)
        let request = log.request(for: recorded)?.message.profile
        let isEqual =
            request == MessageProfile.changes.rawValue
            ? Self.wants(bytes) == Self.wants(recorded.message.bodyBytes) : bytes == recorded.message.bodyBytes
        if recorded.isError || properties != recorded.message.properties || !isEqual {
            problems.append(
                "n\(recorded.record), the answer to \(number): \(String(decoding: bytes, as: UTF8.self)) instead of "
                    + Self.text(recorded.message))
        }
    }

    /// Which rows are wanted, and of which an ancestor is known. More than one may be named, and not the same ones.
    private static func wants(_ body: [UInt8]) -> [Int]? {
        (try? JSONValue(parsing: body))?.arrayValue?.map { $0.arrayValue.map { $0.isEmpty ? 1 : 2 } ?? 0 }
    }

    private static func checkpoint(_ message: BLIPMessage) -> (index: Int, Checkpoint)? {
        guard message.profile == MessageProfile.setCheckpoint.rawValue,
            let checkpoint = Checkpoint(parsing: message.bodyBytes)
        else { return nil }
        return (message.properties.integer(MessageProperty.collection) ?? 0, checkpoint)
    }

    /// Checkpoints, and saying that there is nothing to push.
    private static func isIncidental(_ message: BLIPMessage) -> Bool {
        isCheckpoint(message)
            || (message.profile == MessageProfile.proposeChanges.rawValue && message.isNoReply)
    }

    private static func isCheckpoint(_ message: BLIPMessage) -> Bool {
        message.profile == MessageProfile.setCheckpoint.rawValue
            || message.profile == MessageProfile.getCheckpoint.rawValue
    }

    private static func text(_ message: BLIPMessage) -> String {
        let properties = message.properties.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        return "\(properties) \(String(decoding: message.bodyBytes.prefix(300), as: UTF8.self))"
    }
}
