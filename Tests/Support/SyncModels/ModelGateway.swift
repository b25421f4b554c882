import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol

/// A gateway with one user, in memory and as simple as possible: it does the jobs of a passive session.
///
/// A document's channel is its member `c`; writing needs the channel, as a sync function with `requireAccess` would.
/// The user gets a log of all changes of her view; a feed reads on in it.
package struct ModelGateway: Sendable {
    package struct Document: Sendable {
        package var current: ModelRevision
        package var sequence: UInt64
        package var attachments: JSONObject?

        package var chain: [RevisionID] { [current.id] + current.history.ancestors }
        var wireBody: [UInt8] {
            guard let attachments else { return current.body }
            return appendingMembers(Array(#""_attachments":"#.utf8) + attachments.bytes, toObject: current.body)
        }

        package var channel: String? { (try? JSONObject(parsing: current.body))?["c"]?.stringValue }
    }

    struct LogEntry: Sendable {
        var sequence: SequenceID
        var documentID: String
        var flags: RowFlags
    }

    /// The present one of several connections: each numbers its own feeds and attachments.
    package var session = 0
    /// The names that `getCollections` may have; `nil` allows all.
    package var names: [String]?
    /// The digests of the attachments that were asked for, in order.
    package internal(set) var served: [String] = []

    struct FeedName: Hashable {
        var session: Int
        var id: JobID
    }

    struct KeptName: Hashable {
        var session: Int
        var handle: AttachmentHandle
    }

    struct Feed: Sendable {
        var collection: Int
        var isContinuous: Bool
        /// `nil`: all.
        var documentIDs: Set<Name>?
        var position: Int
        var hasAnnouncedCaughtUp = false
    }

    package var collections: [[Name: Document]]
    /// Revisions that were replaced, as long as they are kept for differences.
    var replaced: [[Name: [Document]]]
    /// Acts as if all sources of pushed differences were missing.
    package var forgetsSources = false
    /// The numbers of sent differences and of pushed ones.
    package internal(set) var deltaCounts = (sent: 0, sources: 0)
    var logs: [[LogEntry]]
    package private(set) var channels: Set<String>
    package struct Acceptance: Sendable {
        package var collection: Int
        package var documentID: String
        package var revision: RevisionID
        package var isDeleted: Bool
    }

    /// The revisions that were accepted from clients since the last check.
    package var acceptances: [Acceptance] = []
    /// Statuses with which pushes of documents are refused.
    package var refusals: [Name: Int] = [:]
    var sequence: UInt64 = 0
    var checkpoints: [String: (body: JSONObject, revision: Int)] = [:]
    package internal(set) var blobs: [String: [UInt8]] = [:]
    var feeds: [FeedName: Feed] = [:]
    /// Attachments on their way in.
    var kept: [KeptName: [UInt8]] = [:]

    package var keptAttachments: Int { kept.count }

    package init(collections count: Int, channels: Set<String>) {
        collections = Array(repeating: [:], count: count)
        replaced = Array(repeating: [:], count: count)
        logs = Array(repeating: [], count: count)
        self.channels = channels
    }

    // MARK: - What happens here

    package func isVisible(_ document: Document) -> Bool {
        !document.current.isDeleted && document.channel.map(channels.contains) ?? false
    }

    package mutating func edit(_ id: String, in index: Int, body: String, isDeleted: Bool) {
        let old = collections[index][id]
        let parent = old?.current
        let bytes = Array(body.utf8)
        let revision = RevisionDigest.gatewayRevision(
            parent: parent?.id, body: (try? JSONValue(parsing: bytes)) ?? .null)
        let history = parent.map { $0.history.appending($0.id, limit: SyncLimits.maxHistory) } ?? RevisionHistory()
        store(
            ModelRevision(id: revision, history: history, isDeleted: isDeleted, body: bytes), nil, id, index)
    }

    package mutating func setChannels(_ new: Set<String>) {
        let (gained, lost) = (new.subtracting(channels), channels.subtracting(new))
        channels = new
        sequence += 1
        for index in collections.indices {
            let documents = collections[index].filter { !$0.value.current.isDeleted }
                .sorted { $0.value.sequence < $1.value.sequence }
            for (id, document) in documents {
                guard let channel = document.channel else { continue }
                let position = SequenceID(document.sequence, triggeredBy: sequence)
                if lost.contains(channel) {
                    logs[index].append(LogEntry(sequence: position, documentID: id.text, flags: .revoked))
                } else if gained.contains(channel) {
                    logs[index].append(LogEntry(sequence: position, documentID: id.text, flags: []))
                }
            }
        }
    }

    mutating func store(
        _ revision: ModelRevision, _ attachments: JSONObject?, _ id: String, _ index: Int
    ) {
        if let old = collections[index][id] { replaced[index][id, default: []].append(old) }
        let wasVisible = collections[index][id].map { isVisible($0) } ?? false
        // A user who was sent a deletion is also sent the one on top of it.
        let lastReported = logs[index].last { $0.documentID.isExactly(id) }
        let wasReportedGone = revision.isDeleted && lastReported?.flags.contains(.deleted) ?? false
        sequence += 1
        let document = Document(current: revision, sequence: sequence, attachments: attachments)
        collections[index][id] = document
        let isReported = wasVisible || wasReportedGone
        let flags: RowFlags? =
            isVisible(document) ? [] : !isReported ? nil : revision.isDeleted ? [.deleted, .removed] : .removed
        if let flags {
            logs[index].append(LogEntry(sequence: SequenceID(sequence), documentID: id, flags: flags))
        }
    }

    // MARK: - Troubles

    package mutating func forgetFeeds() { feeds = [:] }

    /// From now on, differences can only be made from the current revision.
    package mutating func forgetReplaced() { replaced = Array(repeating: [:], count: replaced.count) }
}

/// A revision of a model's document.
package struct ModelRevision: Hashable, Sendable {
    package var id: RevisionID
    package var history: RevisionHistory
    package var isDeleted: Bool
    package var body: [UInt8]

    package init(
        id: RevisionID, history: RevisionHistory = RevisionHistory(), isDeleted: Bool = false,
        body: [UInt8] = Array("{}".utf8)
    ) {
        self.id = id
        self.history = history
        self.isDeleted = isDeleted
        self.body = body
    }
}

/// Documents under their ids.
extension Dictionary where Key == Name {
    package subscript(id: String) -> Value? {
        get { self[Name(id)] }
        set { self[Name(id)] = newValue }
    }

    subscript(id: String, default value: @autoclosure () -> Value) -> Value {
        get { self[Name(id), default: value()] }
        set { self[Name(id), default: value()] = newValue }
    }
}
