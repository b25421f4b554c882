import BLIPProtocol
import DocumentValues
import NIOCore
import SeededRandom
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
    private var session: PassiveSession
    private var generator: SeededGenerator
    private var lastNumber: UInt32 = 0
    private var unanswered: Set<UInt32> = []
    private var work: [PassiveAction] = []
    /// Content that the driver has for the session.
    private var kept: Set<AttachmentHandle> = []
    /// Requests of the session that wait for an answer.
    private var questions: [(request: BLIPRequest, tag: UInt64)] = []
    private var unsent: [UInt64] = []
    private(set) var problems: [String] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        let version: SyncSubprotocol = seed.isMultiple(of: 2) ? .version2 : .version3
        session = PassiveSession(
            version: version, hasDefaultCollection: !seed.isMultiple(of: 3),
            usesDeltas: !seed.isMultiple(of: 5), allowsConflicts: seed.isMultiple(of: 3))
        if !seed.isMultiple(of: 4) {
            request(["Profile": "getCollections"], #"{"checkpoint_ids":["a","b"],"collections":["a","b"]}"#)
        }
    }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4: randomRequest()
        case 4..<7: doSomeWork()
        case 7: answerAQuestion()
        case 8: take(session.receive(unsent.map { .sent(tag: $0) })); unsent = []
        default: nonsense()
        }
        let open = questions.filter { $0.request.properties.profile == "changes" }.count
        if open > 2 { problems.append("\(open) batches are open") }
    }

    /// Ends all work, until nothing is left.
    mutating func drain() {
        for _ in 0..<10_000 where !(work.isEmpty && questions.isEmpty && unsent.isEmpty) {
            if !work.isEmpty { doSomeWork() }
            if !questions.isEmpty { answerAQuestion() }
            take(session.receive(unsent.map { .sent(tag: $0) }))
            unsent = []
        }
        if !unanswered.isEmpty { problems.append("not answered: \(unanswered.sorted())") }
        let context = session.context
        if context.storeBytes != 0 { problems.append("\(context.storeBytes) bytes left for the store") }
        if context.waitingBytes != 0 { problems.append("\(context.waitingBytes) bytes left waiting") }
        if session.bytesToSend != 0 { problems.append("\(session.bytesToSend) bytes left unsent") }
        if !kept.isEmpty { problems.append("attachments are kept for nobody") }
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
        take(session.receive([.request(message)]))
    }

    private mutating func randomRequest() {
        let profiles = MessageProfile.allCases.map(\.rawValue) + ["nonsense", "rev", "rev", "subChanges"]
        var properties: BLIPProperties = ["Profile": pick(profiles)]
        let values: [(String, [String])] = [
            ("collection", ["0", "1", "1", "2", "-1", ""]), ("client", ["a", "", "cp"]),
            ("rev", ["1-a", "2-b", "x", ""]),
            ("id", ["d1", "d2", ""]), ("digest", ["sha1-x", "sha1-y"]), ("docID", ["d1", "d2"]),
            ("since", ["", "5", "\"5:3\"", "x"]), ("continuous", ["true", "false"]),
            ("batch", ["1", "10", "x", "-5", "99999999"]),
            ("history", ["1-a", ",,", "x"]), ("deleted", ["1", "0"]), ("sendReplacementRevs", ["1"]),
            ("deltaSrc", ["", "", "1-a", "x"]),
        ]
        for (key, choices) in values where Int.random(in: 0..<4, using: &generator) > 0 {
            properties[key] = pick(choices)
        }
        let bodies = [
            "", "{}", "[]", "null", #"[["d1","1-a"],["d2","2-b","1-a",3]]"#, #"{"x":1}"#, "{", #"{"_attachments":{}}"#,
            #"{"_attachments":{"a":{"stub":true,"digest":"sha1-x","length":3}}}"#, #"{"docIDs":["d1"]}"#, #"{"_id":1}"#,
        ]
        request(properties, pick(bodies), isNoReply: Int.random(in: 0..<8, using: &generator) == 0)
    }

    private mutating func answerAQuestion() {
        guard let index = questions.indices.randomElement(using: &generator) else { return }
        let (request, tag) = questions.remove(at: index)
        let body = ByteBuffer(string: pick(["", "[]", "[[],[],0]", "[[\"1-a\"]]", "nonsense", "null"]))
        if Int.random(in: 0..<4, using: &generator) == 0 {
            take(session.receive([.failure(tag: tag, .http(pick([404, 422, 500]), message: ""))]))
        } else if request.streamsReply {
            take(
                session.receive([
                    .responsePart(tag: tag, body, isLast: false), .responsePart(tag: tag, body, isLast: true),
                ]))
        } else {
            let properties: BLIPProperties = ["maxHistory": "1", "deltas": "true"]
            let message = BLIPMessage(kind: .response, number: 1, properties: properties, body: body)
            take(session.receive([.response(tag: tag, message)]))
        }
    }

    /// Answers to what was never asked, results of jobs that do not exist.
    private mutating func nonsense() {
        let tag = UInt64.random(in: 100_000..<200_000, using: &generator)
        take(session.receive([.failure(tag: tag, .http(500)), .sent(tag: tag)]))
        take(session.receive([.responsePart(tag: tag, ByteBuffer(), isLast: true)]))
        take(session.complete(JobID(tag), result: .done))
    }

    // MARK: The driver

    private mutating func doSomeWork() {
        guard let index = work.indices.randomElement(using: &generator) else { return }
        let action = work.remove(at: index)
        guard let id = action.job else { return }
        let isWrong = Int.random(in: 0..<20, using: &generator) == 0
        take(session.complete(id, result: isWrong ? .failed(.http(503, message: "no")) : result(of: action)))
    }

    private mutating func result(of action: PassiveAction) -> PassiveResult {
        switch action {
        case .resolveCollections(_, let names, _):
            return .collections(names.indices.map { $0 == 1 ? .known(checkpoint: nil, revision: nil) : .unknown })
        case .loadCheckpoint: return .checkpoint(["a": 1], revision: "0-1")
        case .saveCheckpoint: return .saved(revision: "0-2")
        case .nextRows(_, _, let limit):
            let rows = (0..<Int.random(in: 0...limit * 2, using: &generator)).map {
                ChangeRow(sequence: "\($0)", documentID: "d\($0)", revision: "1-a")
            }
            return .rows(rows, isCaughtUp: Bool.random(using: &generator))
        case .checkAnnounced(_, _, let rows):
            return .wanted(rows.map { _ in pick([.unwanted, .wanted(ancestors: ["1-a"])]) })
        case .checkProposed(_, _, let rows): return .proposals(rows.map { _ in pick([.send, .known, .rejected(403)]) })
        case .loadSources(_, _, let sources):
            let count = Int.random(in: 0...sources.count, using: &generator)
            return .sources(sources.prefix(count).map { _ in pick([nil, Array(#"{"x":{"y":1}}"#.utf8)]) })
        case .storeRevisions(_, _, let revisions):
            return .stored(
                revisions.map { _ in
                    pick([
                        .stored, .refused(.http(409)), .needs([]), .needs([.content(digest: "sha1-x")]),
                        .needs([.content(digest: "sha1-x"), .proof(digest: "sha1-y", nonce: [1])]),
                    ])
                })
        case .loadRevisions(_, _, let requests, _): return .revisions(requests.map { revision($0.deltaSource) })
        case .openFeed, .keepAttachment, .dropAttachments, .noteRefusal, .send, .closeFeed, .serveAttachment,
            .pauseReading, .resumeReading, .close:
            return .done
        }
    }

    private mutating func revision(_ source: RevisionID?) -> LoadedRevision {
        if let source, Bool.random(using: &generator) {
            return .delta(
                from: source, revision: RevisionID(generation: 2, digest: "a"), history: RevisionHistory([source]),
                body: [0x7B, 0x7D], attachments: pick([[], ["sha1-x"]]))
        }
        let found = LoadedRevision.found(
            revision: RevisionID(generation: pick([1, 2]), digest: "a"), history: RevisionHistory(), isDeleted: false,
            body: [0x7B, 0x7D], attachments: pick([[], ["sha1-x"]]))
        return pick([found, found, .removed(RevisionHistory()), .unavailable(404, "missing")])
    }

    private mutating func take(_ actions: [PassiveAction]) {
        for action in actions {
            switch action {
            case .send(let messages): for message in messages { sent(message) }
            case .serveAttachment(let number, _, _, _, _): answered(number)
            case .dropAttachments(let handles): kept.subtract(handles)
            case .closeFeed, .noteRefusal, .pauseReading, .resumeReading, .close: break
            case .resolveCollections, .loadCheckpoint, .saveCheckpoint, .openFeed, .nextRows, .checkAnnounced,
                .checkProposed, .loadSources, .storeRevisions, .loadRevisions:
                work.append(action)
            case .keepAttachment(_, let handle, _):
                kept.insert(handle)
                work.append(action)
            }
        }
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
        if unanswered.remove(number) == nil {
            problems.append("request \(number) is answered twice, or wants no answer")
        }
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &generator)]
    }
}
