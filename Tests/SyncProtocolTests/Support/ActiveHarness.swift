import BLIPProtocol
import DocumentValues
import NIOCore

@testable import SyncProtocol

/// An active session with a model of its store, whose actions are carried out at once.
struct ActiveHarness {
    var session: ActiveSession
    var client: ModelClient
    var now: Instant = 1_800_000_000_000
    private(set) var sent: [BLIPOutgoing] = []
    private(set) var events: [DocumentEvent] = []
    private(set) var statuses: [ActiveStatus] = []
    private(set) var downloads: [(GetAttachment, tag: UInt64, collection: Int)] = []
    /// By their requests' tags.
    private var downloadJobs: [UInt64: JobID] = [:]
    private(set) var closing: (code: UInt16, reason: String, failure: SyncFailure?)?
    private(set) var wakeUp: Instant?
    /// Conflicts wait until `resolveOne` is called.
    var delaysResolutions = false
    private var waitingResolutions: [ActiveAction] = []

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

    mutating func downloaded(_ tag: UInt64, _ failure: SyncFailure? = nil) {
        guard let job = downloadJobs.removeValue(forKey: tag) else { return }
        run(session.complete(job, with: .downloaded(failure), at: now))
    }

    /// Time passes until the session wants to be woken.
    mutating func wake() {
        guard let time = wakeUp else { return }
        wakeUp = nil
        now = max(now, time)
        run(session.timerFired(at: now))
    }

    /// Parts of replies are what the driver keeps as blobs; the rest is the session's.
    mutating func receiveOrStore(_ incoming: [BLIPIncoming]) {
        for event in incoming {
            switch event {
            case .responsePart(let tag, let bytes, _):
                let content = Array(bytes.readableBytesView)
                client.blobs[BlobDigest(of: content).text] = content
                downloaded(tag)
            case .failure(let tag, let error) where RequestTag(tag).kind == .attachment:
                downloaded(tag, SyncFailure(error))
            case .request, .response, .failure, .sent: receive(event)
            }
        }
    }

    /// Carries out a resolution that waits; whether there was one.
    mutating func resolveOne() -> Bool {
        guard !waitingResolutions.isEmpty else { return false }
        let action = waitingResolutions.removeFirst()
        if case .resolveConflicts(_, let index, _) = action, let (job, result) = client.perform(action) {
            run(session.complete(job, with: result, at: now))
            // The resolution is a commit like any other.
            run(session.localChangesCommitted(in: [index], at: now))
        }
        return true
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
            switch action {
            case .send(let batch): sent += batch
            case .report(let batch): events += batch
            case .status(let status): statuses.append(status)
            case .close(let code, let reason, let failure): closing = (code, reason, failure)
            case .wakeUp(let time): wakeUp = time
            case .download(let job, let collection, let request, _, let tag):
                downloads.append((request, tag, collection))
                downloadJobs[tag] = job
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
            case .resolveConflicts where delaysResolutions: waitingResolutions.append(action)
            case .readChanges, .readRejections, .loadRevisions, .markKnown, .recordRejection, .decideRows,
                .loadSources, .examine, .insert, .purge, .resolveConflicts, .saveLocalCheckpoint:
                if let (job, result) = client.perform(action) {
                    queue += session.complete(job, with: result, at: now)
                }
            }
        }
    }
}

extension ActiveConfiguration {
    static func test(
        _ names: [String], pushes: Bool = true, pulls: Bool = true, isContinuous: Bool = false, mark: String = "a"
    ) throws -> ActiveConfiguration {
        var configuration = ActiveConfiguration(
            collections: try names.map { name in
                Collection(name: try CollectionName(parsing: name), checkpointID: "cp-\(name)")
            }, pushes: pushes, pulls: pulls, mark: mark)
        configuration.isContinuous = isContinuous
        return configuration
    }
}
