import BLIPProtocol
import BLIPTransport
import Dispatch
import DocumentStore
import DocumentValues
import SyncProtocol

/// The other database of a replication between two of this process: runs the passive side over it.
// Unchecked: all stored variables are touched on `queue` only, which is checked where work begins.
final class LocalPeer: SessionPeer, SessionLinkEnd, @unchecked Sendable {
    let store: ReplicationStore
    /// Blobs of pushed revisions are copied from here, without messages.
    let source: any BlobStorage
    private let queue = DispatchQueue(label: "fieldbook.replication.peer")
    private let link = LocalLink()
    private lazy var line = link.end(.passive)
    private let registration: ListenerToken
    private var session = PassiveSession(version: .version3, hasDefaultCollection: true)
    private var changesToken: ListenerToken?
    var collections: [CollectionName] = [.default]
    var feeds: [JobID: LocalFeed] = [:]
    /// Feeds that have reported all rows, and wait for a commit.
    private var waiting: [PassiveAction] = []
    private var isClosed = false

    /// - Throws: when the database is closed.
    init(_ database: Database, for client: ReplicationStore) throws {
        store = try ReplicationStore(database: database, remote: DatabaseEndpoint.identity(client))
        source = client.blobs
        registration = try database.register(.replicator)
    }

    func connect(_ active: any SessionLinkEnd) -> any SessionLink {
        queue.async { [self] in
            do {
                changesToken = try store.observeChanges { [weak self] _ in
                    guard let self else { return }
                    queue.async { self.lookAgain() }
                }
            } catch {
                line.close(code: WebSocketCloseCode.unexpectedCondition, reason: "\(error)")
            }
        }
        link.start(active: active, passive: self)
        return link.end(.active)
    }

    // MARK: - The link

    func received(_ incoming: [BLIPIncoming], over link: any SessionLink) {
        queue.async { [self] in
            guard !isClosed else { return }
            run(session.receive(incoming))
        }
    }

    /// Returns when the database is not used any more: it must be possible to close it after the replicator has
    /// stopped. The link's queue may wait for ours, because ours never waits for the link's.
    func closed(_ reason: BLIPCloseReason) {
        queue.sync {
            isClosed = true
            changesToken?.remove()
            registration.remove()
            feeds = [:]
            waiting = []
        }
    }

    private func lookAgain() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        let actions = waiting
        waiting = []
        run(actions)
    }

    // MARK: - Actions

    private func run(_ first: [PassiveAction]) {
        dispatchPrecondition(condition: .onQueue(queue))
        var actions = first
        var next = 0
        while next < actions.count {
            if let (id, result) = perform(actions[next]) { actions += session.complete(id, with: result) }
            next += 1
        }
    }

    private func perform(_ action: PassiveAction) -> (JobID, PassiveResult)? {
        switch action {
        case .send(let batch): line.send(batch)
        case .pauseReading: line.pauseReading()
        case .resumeReading: line.resumeReading()
        case .close(let code, let reason): line.close(code: code, reason: reason)
        case .closeFeed(let id): feeds[id] = nil
        // Both peers are in one program, and the pushing one reports refusals.
        case .dropAttachments, .noteRefusal: break
        case .keepAttachment(let id, _, _):
            // Blobs are copied, so no session here requests them.
            return (id, .failed(.http(501, message: "Attachments do not come as messages")))
        case .serveAttachment(let number, _, _, let digest, _):
            line.send([BlobTransfers(store.blobs).content(digest, for: number, compresses: false).answer])
        case .nextRows(let id, let feed, let limit):
            guard let rows = attempt({ try nextRows(feed, limit: limit) }) else {
                waiting.append(action)
                return nil
            }
            return (id, rows)
        case .resolveCollections(let id, _, _), .loadCheckpoint(let id, _, _), .saveCheckpoint(let id, _, _, _, _),
            .openFeed(let id, _, _, _), .checkAnnounced(let id, _, _), .checkProposed(let id, _, _),
            .loadSources(let id, _, _), .storeRevisions(let id, _, _), .loadRevisions(let id, _, _, _):
            return attempt({ try result(of: action) }).map { (id, $0) }
        }
        return nil
    }

    private func attempt(_ work: () throws -> PassiveResult?) -> PassiveResult? {
        do {
            return try work()
        } catch {
            return .failed(SyncFailure(store: error).peerReply)
        }
    }
}

/// How far a feed of changes has been read.
struct LocalFeed {
    let collection: CollectionName
    let options: SubChanges
    var position: UInt64
    var hasAnnouncedCaughtUp = false
}

extension SyncFailure {
    /// The error for the other end; errors of a local database are never about the network.
    var peerReply: BLIPErrorReply { .http(500, message: message) }
}
