import BLIPProtocol
import DocumentValues

@testable import SyncProtocol

/// An active session with a model of its store, whose actions are carried out at once.
struct ActiveHarness {
    var session: ActiveSession
    var client: ModelClient
    var now: Timestamp = 1_800_000_000_000
    private(set) var sent: [BLIPOutgoing] = []
    private(set) var events: [DocumentEvent] = []
    private(set) var statuses: [ActiveStatus] = []
    private(set) var downloads: [(GetAttachment, tag: UInt64, collection: Int)] = []
    private(set) var closing: (code: UInt16, reason: String, failure: SyncFailure?)?
    private(set) var wakeUp: Timestamp?
    /// Actions as they came, for tests that look at them.
    private(set) var actions: [ActiveAction] = []

    init(_ configuration: ActiveConfiguration, client: ModelClient) {
        var configuration = configuration
        for index in configuration.collections.indices {
            configuration.collections[index].localCheckpoint = client.collections[index].checkpoint
            configuration.collections[index].isEmpty = client.collections[index].documents.isEmpty
        }
        session = ActiveSession(configuration)
        self.client = client
    }

    mutating func connect(_ version: SyncSubprotocol = .version3) { run(session.connected(version, at: now)) }

    mutating func receive(_ incoming: BLIPIncoming...) { run(session.receive(incoming, at: now)) }

    mutating func receive(all incoming: [BLIPIncoming]) { run(session.receive(incoming, at: now)) }

    mutating func committed(in index: Int) { run(session.localChangesCommitted(in: [index], at: now)) }

    mutating func stop() { run(session.stop(at: now)) }

    mutating func lose() { run(session.connectionLost(at: now)) }

    mutating func downloaded(_ tag: UInt64, collection: Int, _ failure: SyncFailure? = nil) {
        run(session.complete(.downloaded(tag: tag, failure), collection: collection, at: now))
    }

    /// Time passes until the session wants to be woken.
    mutating func wake() {
        guard let time = wakeUp else { return }
        wakeUp = nil
        now = max(now, time)
        run(session.timerFired(at: now))
    }

    mutating func takeSent() -> [BLIPOutgoing] {
        defer { sent = [] }
        return sent
    }

    private mutating func run(_ first: [ActiveAction]) {
        var queue = first
        var next = 0
        while next < queue.count {
            let action = queue[next]
            next += 1
            actions.append(action)
            switch action {
            case .send(let batch): sent += batch
            case .report(let batch): events += batch
            case .status(let status): statuses.append(status)
            case .close(let code, let reason, let failure): closing = (code, reason, failure)
            case .wakeUp(let time): wakeUp = time
            case .download(let collection, let request, let tag):
                downloads.append((request, tag, collection))
                sent.append(.request(request.request, tag: tag))
            case .serveAttachment(let number, let digest, let compresses):
                let answer: BLIPOutgoing =
                    client.blobs[digest].map {
                        .response(to: number, properties: [:], body: .bytes($0), isCompressed: compresses)
                    } ?? .failure(to: number, BLIPErrorReply(domain: "LiteCore", code: 7))
                sent.append(answer)
            case .proveAttachment(let number, let digest, let nonce):
                let proof = BlobDigest.proof(nonce: nonce, content: client.blobs[digest] ?? [])
                sent.append(
                    .response(to: number, properties: [:], body: .bytes(Array(proof.text.utf8)), isCompressed: false))
            case .readChanges, .readRejections, .loadRevisions, .markKnown, .recordRejection, .decideRows, .examine,
                .insert, .purge, .resolveConflicts, .saveLocalCheckpoint:
                if let (result, index) = client.perform(action) {
                    queue += session.complete(result, collection: index, at: now)
                }
            }
        }
    }
}

extension ActiveConfiguration {
    static func test(
        _ names: [String], pushes: Bool = true, pulls: Bool = true, isContinuous: Bool = false
    ) throws -> ActiveConfiguration {
        var configuration = ActiveConfiguration(
            collections: try names.map { name in
                Collection(name: try CollectionName(parsing: name), checkpointID: "cp-\(name)")
            }, pushes: pushes, pulls: pulls)
        configuration.isContinuous = isContinuous
        return configuration
    }
}
