import BLIPProtocol
import DocumentValues
import NIOCore
import SeededRandom
import SyncModels
import Testing

@testable import SyncProtocol

/// A client that sends anything in any order, over a driver that answers out of order and sometimes wrongly.
@Suite struct PassiveFuzzTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func everyRequestIsAnsweredOnceAndNothingIsLeft(seed: UInt64) {
        var world = HostileWorld(seed: seed)
        for _ in 0..<400 { world.step() }
        world.drain()
        for problem in world.problems { Issue.record("seed \(seed): \(problem)") }
    }
}

private struct HostileWorld {
    private var peer: PassivePeer
    private var store: HostileStore
    private var lastNumber: UInt32 = 0
    private var unanswered: Set<UInt32> = []
    /// Requests of the session that wait for an answer.
    private var questions: [(request: BLIPRequest, tag: UInt64)] = []
    private var unsent: [UInt64] = []
    private(set) var problems: [String] = []

    init(seed: UInt64) {
        store = HostileStore(seed: seed)
        let version: SyncSubprotocol = seed.isMultiple(of: 2) ? .version2 : .version3
        peer = PassivePeer(
            PassiveSession(
                version: version, hasDefaultCollection: !seed.isMultiple(of: 3),
                usesDeltas: !seed.isMultiple(of: 5), allowsConflicts: seed.isMultiple(of: 3)))
        if !seed.isMultiple(of: 4) {
            request(["Profile": "getCollections"], #"{"checkpoint_ids":["a","b"],"collections":["a","b"]}"#)
        }
    }

    mutating func step() {
        guard peer.closing == nil else { return }
        switch store.roll(10) {
        case 0..<4: randomRequest()
        case 4..<7: doSomeWork()
        case 7: answerAQuestion()
        case 8: reportSent()
        default: nonsense()
        }
        let open = questions.filter { $0.request.properties.profile == "changes" }.count
        if open > 2 { problems.append("\(open) batches are open") }
    }

    /// Ends all work, until nothing is left.
    mutating func drain() {
        for _ in 0..<10_000 where !(peer.work.isEmpty && questions.isEmpty && unsent.isEmpty) {
            if !peer.work.isEmpty { doSomeWork() }
            if !questions.isEmpty { answerAQuestion() }
            reportSent()
        }
        // A session that has closed its connection does nothing more, and its driver drops the rest.
        guard peer.closing == nil else { return }
        if !unanswered.isEmpty { problems.append("not answered: \(unanswered.sorted())") }
        let session = peer.session
        let context = session.context
        if context.storeBytes != 0 { problems.append("\(context.storeBytes) bytes left for the store") }
        if context.waitingBytes != 0 { problems.append("\(context.waitingBytes) bytes left waiting") }
        if session.bytesToSend != 0 { problems.append("\(session.bytesToSend) bytes left unsent") }
        if !store.kept.isEmpty { problems.append("attachments are kept for nobody") }
        if context.abandonedFeeds != 0 { problems.append("\(context.abandonedFeeds) feeds given up") }
        if context.revisions.openDeltas != 0 || !session.deltas.isEmpty {
            problems.append("differences are left")
        }
        if context.revisions.openBatches != 0 || !session.collections.allSatisfy(\.feed.isEmpty)
            || !session.collections.allSatisfy(\.receiver.isIdle) || !session.attachments.isEmpty
        {
            problems.append("something is still open")
        }
    }

    // MARK: The client

    private mutating func request(_ properties: BLIPProperties, _ body: String, isNoReply: Bool = false) {
        lastNumber += 1
        if !isNoReply { unanswered.insert(lastNumber) }
        let message = BLIPMessage(
            kind: .request, number: lastNumber, properties: properties, body: ByteBuffer(string: body),
            isNoReply: isNoReply)
        receive([.request(message)])
    }

    private mutating func randomRequest() {
        let profiles = MessageProfile.allCases.map(\.rawValue) + ["nonsense", "rev", "rev", "subChanges"]
        var properties: BLIPProperties = ["Profile": store.pick(profiles)]
        let values: [(String, [String])] = [
            ("collection", ["0", "1", "1", "2", "-1", ""]), ("client", ["a", "", "cp"]),
            ("rev", ["1-a", "2-b", "x", ""]),
            ("id", ["d1", "d2", ""]), ("digest", ["sha1-x", "sha1-y"]), ("docID", ["d1", "d2"]),
            ("since", ["", "5", "\"5:3\"", "x"]), ("continuous", ["true", "false"]),
            ("batch", ["1", "10", "x", "-5", "99999999"]),
            ("history", ["1-a", ",,", "x"]), ("deleted", ["1", "0"]), ("sendReplacementRevs", ["1"]),
            ("deltaSrc", ["", "", "1-a", "x"]),
        ]
        for (key, choices) in values where store.roll(4) > 0 {
            properties[key] = store.pick(choices)
        }
        let bodies = [
            "", "{}", "[]", "null", #"[["d1","1-a"],["d2","2-b","1-a",3]]"#, #"{"x":1}"#, "{", #"{"_attachments":{}}"#,
            #"{"_attachments":{"a":{"stub":true,"digest":"sha1-x","length":3}}}"#, #"{"docIDs":["d1"]}"#, #"{"_id":1}"#,
        ]
        request(properties, store.pick(bodies), isNoReply: store.roll(8) == 0)
    }

    private mutating func answerAQuestion() {
        guard !questions.isEmpty else { return }
        let (request, tag) = questions.remove(at: store.roll(questions.count))
        let body = ByteBuffer(string: store.pick(["", "[]", "[[],[],0]", "[[\"1-a\"]]", "nonsense", "null"]))
        if store.roll(4) == 0 {
            receive([.failure(tag: tag, .http(store.pick([404, 422, 500]), message: ""))])
        } else if request.streamsReply {
            receive([.responsePart(tag: tag, body, isLast: false), .responsePart(tag: tag, body, isLast: true)])
        } else {
            let properties: BLIPProperties = ["maxHistory": "1", "deltas": "true"]
            let message = BLIPMessage(kind: .response, number: 1, properties: properties, body: body)
            receive([.response(tag: tag, message)])
        }
    }

    private mutating func reportSent() {
        let tags = unsent
        unsent = []
        receive(tags.map { .sent(tag: $0) })
    }

    /// Answers to what was never asked, results of jobs that do not exist.
    private mutating func nonsense() {
        let tag = UInt64(100_000 + store.roll(100_000))
        receive([.failure(tag: tag, .http(500)), .sent(tag: tag)])
        receive([.responsePart(tag: tag, ByteBuffer(), isLast: true)])
        peer.complete(JobID(tag), with: .done)
        takeSent()
    }

    // MARK: The driver

    private mutating func doSomeWork() {
        guard !peer.work.isEmpty else { return }
        let index = store.roll(peer.work.count)
        let isWrong = store.roll(peer.work[index].endsByFailure ? 400 : 20) == 0
        peer.doWork(at: index, in: &store) { isWrong ? .failed(.http(503, message: "no")) : $0 }
        takeSent()
    }

    private mutating func receive(_ events: [BLIPIncoming]) {
        peer.receive(events)
        peer.release(in: &store)
        takeSent()
    }

    private mutating func takeSent() {
        for message in peer.takeSent() {
            switch message {
            case .request(let request, let tag):
                unsent.append(tag)
                if !request.isNoReply { questions.append((request, tag)) }
            case .response(let number, _, _, _), .failure(let number, _):
                if unanswered.remove(number) == nil {
                    problems.append("request \(number) is answered twice, or wants no answer")
                }
            }
        }
    }
}

/// Answers whatever it is asked by chance.
private struct HostileStore: PassiveStore {
    private var generator: SeededGenerator
    /// Content that it has for the session.
    private(set) var kept: Set<AttachmentHandle> = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[roll(choices.count)] }

    mutating func resolveCollections(_ names: [CollectionName], checkpointIDs: [String]) -> PassiveResult {
        .collections(names.indices.map { $0 == 1 ? .known(checkpoint: nil, revision: nil) : .unknown })
    }

    mutating func loadCheckpoint(_ client: String, in collection: Int) -> PassiveResult {
        .checkpoint(["a": 1], revision: "0-1")
    }

    mutating func saveCheckpoint(
        _ client: String, in collection: Int, revision: String?, body: [UInt8]
    ) -> PassiveResult { .saved(revision: "0-2") }

    mutating func nextRows(of feed: JobID, limit: Int) -> PassiveResult? {
        let rows = (0..<roll(limit * 2 + 1)).map {
            ChangeRow(sequence: "\($0)", documentID: "d\($0)", revision: "1-a")
        }
        return .rows(rows, isCaughtUp: roll(2) == 0)
    }

    mutating func checkAnnounced(_ rows: [ChangeRow], in collection: Int) -> PassiveResult {
        .wanted(rows.map { _ in pick([.unwanted, .wanted(ancestors: ["1-a"])]) })
    }

    mutating func checkProposed(_ rows: [ProposedRow], in collection: Int) -> PassiveResult {
        .proposals(rows.map { _ in pick([.send, .known, .rejected(403)]) })
    }

    mutating func loadSources(_ sources: [DeltaSource], in collection: Int) -> PassiveResult {
        .sources(sources.prefix(roll(sources.count + 1)).map { _ in pick([nil, Array(#"{"x":{"y":1}}"#.utf8)]) })
    }

    mutating func storeRevisions(_ revisions: [IncomingRevision], in collection: Int) -> PassiveResult {
        .stored(
            revisions.map { _ in
                pick([
                    .stored, .refused(.http(409)), .needs([]), .needs([.content(digest: "sha1-x")]),
                    .needs([.content(digest: "sha1-x"), .proof(digest: "sha1-y", nonce: [1])]),
                ])
            })
    }

    mutating func loadRevisions(_ requests: [RevisionRequest], in collection: Int) -> PassiveResult {
        .revisions(requests.map { revision($0.deltaSource) })
    }

    private mutating func revision(_ source: RevisionID?) -> LoadedRevision {
        if let source, roll(2) == 0 {
            return .delta(
                from: source, revision: RevisionID(generation: 2, digest: "a"), history: RevisionHistory([source]),
                body: [0x7B, 0x7D], attachments: pick([[], ["sha1-x"]]))
        }
        let found = LoadedRevision.found(
            revision: RevisionID(generation: pick([1, 2]), digest: "a"), history: RevisionHistory(), isDeleted: false,
            body: [0x7B, 0x7D], attachments: pick([[], ["sha1-x"]]))
        return pick([found, found, .removed(RevisionHistory()), .unavailable(404, "missing")])
    }

    mutating func keepAttachment(_ handle: AttachmentHandle, bytes: ByteBuffer) -> PassiveResult {
        kept.insert(handle)
        return .done
    }

    mutating func dropAttachments(_ handles: [AttachmentHandle]) { kept.subtract(handles) }
}

extension PassiveAction {
    /// Whether the session closes the connection if the job fails.
    fileprivate var endsByFailure: Bool {
        switch self {
        case .nextRows, .loadRevisions: true
        case .send, .resolveCollections, .loadCheckpoint, .saveCheckpoint, .openFeed, .closeFeed, .checkAnnounced,
            .checkProposed, .loadSources, .storeRevisions, .serveAttachment, .keepAttachment, .dropAttachments,
            .noteRefusal, .pauseReading, .resumeReading, .close:
            false
        }
    }
}
