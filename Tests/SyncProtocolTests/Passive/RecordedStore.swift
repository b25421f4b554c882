import BLIPProtocol
import DocumentValues
import SyncModels
import SyncProtocol
import TranscriptSupport

/// Does a passive session's work by the recording: it finds what the recorded gateway must have found.
struct RecordedStore: PassiveStore {
    private let conversation: RecordedConversation
    /// What the client has asked last.
    var request: TranscriptMessage?
    /// `changes` messages that no feed has given yet, by collection.
    private var announcements: [Int: [TranscriptMessage]] = [:]
    private var collectionOfFeed: [JobID: Int] = [:]
    /// The client's `rev` requests that were not stored yet.
    private var pushed: [RecordedConversation.Entry]

    init(_ conversation: RecordedConversation) {
        self.conversation = conversation
        for entry in conversation.requests(.toClient, "changes") {
            announcements[entry.message.collection, default: []].append(entry.message)
        }
        pushed = conversation.requests(.toServer, "rev")
    }

    private var reply: TranscriptMessage? { request.flatMap { conversation.gatewaysReply(to: $0.number)?.message } }

    func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) -> PassiveResult {
        let reply = reply
        return reply?.failure.map { .failed($0) } ?? .collections(Self.answers(reply))
    }

    func loadCheckpoint(_ client: String, in collection: Int) -> PassiveResult {
        .checkpoint(reply?.json?.objectValue, revision: reply?["rev"])
    }

    func saveCheckpoint(_ client: String, in collection: Int, revision: String?, body: [UInt8]) -> PassiveResult {
        reply?.failure.map { .failed($0) } ?? .saved(revision: reply?["rev"] ?? "")
    }

    mutating func openFeed(_ feed: JobID, in collection: Int, options: SubChanges) -> PassiveResult {
        collectionOfFeed[feed] = collection
        return .done
    }

    mutating func nextRows(of feed: JobID, limit: Int) -> PassiveResult? {
        collectionOfFeed[feed].flatMap { nextRows($0) }
    }

    func checkProposed(_ rows: [ProposedRow], in collection: Int) -> PassiveResult {
        // Entries that a recorded answer leaves out at the end mean `send`.
        let entries = reply.flatMap { ProposeChangesReply($0.blipMessage) }?.entries ?? []
        let missing = max(0, rows.count - entries.count)
        return .proposals(entries + [ProposeChangesReply.Entry](repeating: .send, count: missing))
    }

    mutating func storeRevisions(_ revisions: [IncomingRevision], in collection: Int) -> PassiveResult {
        .stored(revisions.map { store($0, collection) })
    }

    func loadRevisions(_ requests: [RevisionRequest], in collection: Int) -> PassiveResult {
        .revisions(requests.map { load($0, collection) })
    }

    /// What the recorded gateway answered, where the session asks for what the client has asked for.
    func attachment(_ digest: String, of documentID: String, for number: UInt32) -> [UInt8]? {
        let asked = conversation.requests(.toServer, "getAttachment").first { $0.message.number == number }?.message
        guard let asked, asked["docID"] ?? documentID == documentID, asked["digest"] == digest else { return nil }
        return conversation.gatewaysReply(to: number)?.message.bodyBytes ?? []
    }

    private static func answers(_ reply: TranscriptMessage?) -> [CollectionAnswer] {
        (reply?.json?.arrayValue ?? []).map { element in
            guard let object = element.objectValue else { return .unknown }
            guard !object.isEmpty else { return .known(checkpoint: nil, revision: nil) }
            return .known(checkpoint: object.filter { $0 != "_rev" }, revision: object["_rev"]?.stringValue)
        }
    }

    private mutating func nextRows(_ collection: Int) -> PassiveResult? {
        guard var waiting = announcements[collection], let next = waiting.first else { return nil }
        waiting.removeFirst()
        var isCaughtUp = next.json?.isNull ?? true
        if !isCaughtUp, waiting.first?.json?.isNull ?? true {
            isCaughtUp = true
            if !waiting.isEmpty { waiting.removeFirst() }
        }
        announcements[collection] = waiting
        return .rows((next.json?.arrayValue ?? []).map(Self.row), isCaughtUp: isCaughtUp)
    }

    private static func row(_ cells: JSONValue) -> ChangeRow {
        var flags = RowFlags(rawValue: Int(cells[3]?.integerValue ?? 0))
        if cells[3]?.boolValue == true { flags = .deleted }
        return ChangeRow(
            sequence: cells[0]?.description ?? "", documentID: cells[1]?.stringValue ?? "",
            revision: cells[2]?.stringValue ?? "", flags: flags)
    }

    private func load(_ request: RevisionRequest, _ collection: Int) -> LoadedRevision {
        let sent = conversation.requests(.toClient, "rev").map(\.message).first {
            $0["id"] == request.documentID && $0["rev"] == request.revision && $0.collection == collection
        }
        guard let sent, let revision = RevisionID(request.revision) else { return .unavailable(404, "missing") }
        let history = RevisionHistory(parsing: sent["history"] ?? "") ?? RevisionHistory()
        if sent.json?["_removed"] != nil { return .removed(history) }
        return .found(
            revision: revision, history: history,
            isDeleted: sent["deleted"] == "1", body: sent.bodyBytes, attachments: sent.attachmentDigests)
    }

    private mutating func store(_ revision: IncomingRevision, _ collection: Int) -> StoreOutcome {
        let index = pushed.firstIndex { entry in
            entry.message["id"] == revision.documentID && entry.message["rev"] == revision.revision.description
                && entry.message.collection == collection
        }
        guard let index else { return .refused(.http(500, message: "not in the recording")) }
        let entry = pushed[index]
        let reply = conversation.gatewaysReply(to: entry.message.number)
        let needs = needs(of: entry, before: reply?.index ?? Int.max)
        if !needs.isEmpty, revision.provided.isEmpty { return .needs(needs) }
        pushed.remove(at: index)
        return reply?.message.failure.map { .refused($0) } ?? .stored
    }

    /// What the recorded gateway asked for between a `rev` and its reply.
    private func needs(of rev: RecordedConversation.Entry, before end: Int) -> [AttachmentNeed] {
        let digests = Set(rev.message.attachmentDigests)
        let questions = conversation.requests(.toClient).filter { entry in
            entry.index > rev.index && entry.index < end && digests.contains(entry.message["digest"] ?? "")
                && (entry.message["docID"] ?? rev.message["id"]) == rev.message["id"]
        }
        return questions.compactMap { entry in
            switch entry.message.profile {
            case "getAttachment": .content(digest: entry.message["digest"] ?? "")
            case "proveAttachment": .proof(digest: entry.message["digest"] ?? "", nonce: entry.message.bodyBytes)
            default: nil
            }
        }
    }
}
