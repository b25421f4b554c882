import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import Testing

@testable import SyncProtocol

/// The push of one document, `a`, whose results the test delivers itself, in any order.
struct HeldPush {
    private var session: ActiveSession
    private var actions: [ActiveAction] = []
    private let now: Instant = 1_800_000_000_000

    /// The refused documents are read, and the changes are being read.
    init(pulls: Bool = false) throws {
        session = ActiveSession(try .test(["field.sites"], pulls: pulls, isContinuous: true))
        actions = session.connected(.version3, at: now)
        try answer(.getCollections, "[{}]")
        let refused = last { if case .readRefused(let job, _) = $0 { job } else { nil } }
        complete(try #require(refused), with: .refused(RepeatedChanges(refused: [])))
    }

    private var requests: [(message: BLIPMessage, tag: UInt64)] {
        var requests: [(message: BLIPMessage, tag: UInt64)] = []
        for case .send(let batch) in actions {
            for case .request(let request, let tag) in batch { requests.append((request.received(), tag)) }
        }
        return requests
    }

    private func last(_ job: (ActiveAction) -> JobID?) -> JobID? { actions.reversed().lazy.compactMap(job).first }

    /// The last read of changes.
    func reading() throws -> JobID {
        try #require(last { if case .readChanges(let job, _, _, _, _) = $0 { job } else { nil } })
    }

    /// The last load of revisions.
    func loading() throws -> JobID {
        try #require(last { if case .loadRevisions(let job, _, _, _) = $0 { job } else { nil } })
    }

    /// The revisions that were proposed, each with the revision that the gateway is believed to have.
    var proposed: [String] {
        get throws {
            try requests.filter { $0.message.profile == MessageProfile.proposeChanges.rawValue }
                .flatMap { try ProposeChanges($0.message).rows }
                .map { "\($0.revision) over \($0.serverRevision)" }
        }
    }

    /// The failures that are kept with their documents.
    var refusals: [SyncFailure] {
        actions.compactMap { if case .noteRefusal(_, _, let failure) = $0 { failure } else { nil } }
    }

    /// The local sequences that need no more work.
    var completed: SequenceRanges? { session.collections[0].pusher?.sequences.completed }

    mutating func commit() { actions += session.localChangesCommitted(in: [0], at: now) }

    mutating func complete(_ job: JobID, with result: ActiveResult) {
        actions += session.complete(job, with: result, at: now)
    }

    /// A read ends with this change of the document.
    mutating func read(_ job: JobID, _ revision: String, sequence: UInt64) throws {
        let change = LocalChange(
            sequence: sequence, documentID: "a", revision: try #require(RevisionID(revision)))
        complete(job, with: .changes([change], through: sequence, isCaughtUp: true))
    }

    /// A load ends with this revision of the document.
    mutating func load(_ job: JobID, _ revision: String, sequence: UInt64, history: [String]) throws {
        let loaded = LocalRevision(
            documentID: "a", revision: try #require(RevisionID(revision)),
            history: RevisionHistory(history.compactMap { RevisionID($0) }), isDeleted: false, body: Array("{}".utf8),
            sequence: sequence)
        complete(job, with: .revisions([loaded]))
    }

    /// Answers the last request of this kind.
    mutating func answer(_ profile: MessageProfile, _ body: String = "") throws {
        let request = requests.last { $0.message.profile == profile.rawValue && !$0.message.isNoReply }
        let reply = BLIPMessage(kind: .response, number: 1, properties: [:], body: ByteBuffer(string: body))
        actions += session.receive([.response(tag: try #require(request?.tag), reply)], at: now)
    }
}
