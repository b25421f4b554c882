import BLIPProtocol
import DocumentValues
import NIOCore
import Testing

@testable import SyncProtocol

/// Results find what they are for by their jobs, whatever order they come in.
@Suite struct ResultOrderTests {
    private var session: ActiveSession
    private let now: Instant = 1_800_000_000_000

    init() throws {
        session = ActiveSession(try .test(["field.sites"], pushes: false))
        let request = session.connected(.version3, at: now)
        let tag = try #require(Self.requests(request).first?.tag)
        let reply = BLIPMessage(
            kind: .response, number: 1, properties: [:], body: ByteBuffer(string: "[{}]"))
        _ = session.receive([.response(tag: tag, reply)], at: now)
    }

    private static func requests(_ actions: [ActiveAction]) -> [(request: BLIPRequest, tag: UInt64)] {
        var requests: [(request: BLIPRequest, tag: UInt64)] = []
        for case .send(let batch) in actions {
            for case .request(let request, let tag) in batch { requests.append((request, tag)) }
        }
        return requests
    }

    private static func answers(_ actions: [ActiveAction]) -> [UInt32: String] {
        var answers: [UInt32: String] = [:]
        for case .send(let batch) in actions {
            for case .response(let number, _, .bytes(let body), _) in batch {
                answers[number] = String(decoding: body.readableBytesView, as: UTF8.self)
            }
        }
        return answers
    }

    private mutating func receive(_ profile: String, _ properties: BLIPProperties, _ body: String, number: UInt32)
        -> [ActiveAction]
    {
        var all: BLIPProperties = ["Profile": profile, "collection": "0"]
        for property in properties { all.append(property.key, value: property.value) }
        let message = BLIPMessage(kind: .request, number: number, properties: all, body: ByteBuffer(string: body))
        return session.receive([.request(message)], at: now)
    }

    private mutating func announce(_ id: String, number: UInt32) throws -> JobID {
        try Self.lookUp(in: receive("changes", [:], #"[[1,"\#(id)","1-a"]]"#, number: number))
    }

    private struct MissingJob: Error {}

    @Test func announcementsAreAnsweredEachByItsOwn() throws {
        var test = self
        let first = try test.announce("a", number: 1)
        let second = try test.announce("b", number: 2)
        let later = test.session.complete(second, with: .wanted([.have]), at: now)
        #expect(Self.answers(later) == [2: "[]"])
        let earlier = test.session.complete(first, with: .wanted([.wanted(ancestors: [])]), at: now)
        #expect(Self.answers(earlier) == [1: "[[]]"])
        let again = test.session.complete(first, with: .wanted([.have]), at: now)
        #expect(Self.answers(again).isEmpty, "a job has one result")
    }

    /// Two revisions that are examined at the same time: of the second the blob is missing.
    @Test func revisionsAreExaminedEachByItself() throws {
        var test = self
        var jobs: [JobID] = []
        for (number, id) in ["a", "b"].enumerated() {
            let digest = BlobDigest(of: Array(id.utf8)).text
            let actions = test.receive(
                "rev", ["id": id, "rev": "1-a", "sequence": "\(number)"],
                #"{"p":{"@type":"blob","digest":"\#(digest)","length":1}}"#, number: UInt32(number + 1))
            for case .examine(let job, _, _) in actions { jobs.append(job) }
        }
        #expect(jobs.count == 2)
        let missing = BlobDigest(of: Array("b".utf8)).text
        let fetching = test.session.complete(jobs[1], with: .examined([.accepted(missing: [missing])]), at: now)
        #expect(
            fetching.contains {
                if case .fetchAttachment(_, _, let request, _, _) = $0 { request.documentID == "b" } else { false }
            })
        let storing = test.session.complete(jobs[0], with: .examined([.accepted(missing: [])]), at: now)
        let stored = storing.compactMap {
            if case .storeRevisions(_, _, let batch) = $0 { batch.map(\.documentID) } else { nil }
        }
        #expect(stored == [["a"]])
    }

    @Test func aDocumentThatIsDamagedHereFailsAlone() throws {
        var test = self
        let rows = test.receive("changes", [:], #"[[1,"a","1-a"],[2,"b","1-b"]]"#, number: 1)
        let decisions: [RowDecision] = [.unreadable(reason: "damaged"), .wanted(ancestors: [])]
        let decided = test.session.complete(try Self.lookUp(in: rows), with: .wanted(decisions), at: now)
        let events = decided.flatMap { action -> [DocumentEvent] in
            if case .report(let events) = action { events } else { [] }
        }
        let failed = DocumentEvent(collection: 0, documentID: "a", isPush: false, failure: .unreadable("damaged"))
        #expect(events == [failed] && Self.answers(decided).count == 1)
    }

    @Test func aResultOfAnotherKindEndsTheSession() throws {
        var test = self
        let job = try test.announce("a", number: 1)
        let actions = test.session.complete(job, with: .purged([]), at: now)
        #expect(actions.last == .close(code: 1000, reason: "", .unexpectedResult))
    }

    /// Without its result, a revision would wait for ever, and the session with it.
    @Test(arguments: [0, 1, 3]) func aResultOfAnotherLengthEndsTheSession(count: Int) throws {
        var test = self
        let wanted = RowDecision.wanted(ancestors: [])
        let rows = test.receive("changes", [:], #"[[1,"a","1-a"],[2,"b","1-b"]]"#, number: 1)
        let lookUp = try Self.lookUp(in: rows)
        let decided = test.session.complete(lookUp, with: .wanted(Array(repeating: wanted, count: count)), at: now)
        #expect(decided.last == .close(code: 1000, reason: "", .unexpectedResult))
    }

    @Test(arguments: [0, 2]) func aRevisionWithoutAResultEndsTheSession(count: Int) throws {
        var test = self
        let arrived = test.receive("rev", ["id": "a", "rev": "1-a", "sequence": "1"], "{}", number: 1)
        let job = try Self.storing(in: arrived)
        let outcomes = Array(repeating: InsertOutcome<SyncFailure>.inserted, count: count)
        let stored = test.session.complete(job, with: .stored(outcomes), at: now)
        #expect(stored.last == .close(code: 1000, reason: "", .unexpectedResult))
    }

    private static func lookUp(in actions: [ActiveAction]) throws -> JobID {
        for case .checkAnnounced(let job, _, _) in actions { return job }
        throw MissingJob()
    }

    private static func storing(in actions: [ActiveAction]) throws -> JobID {
        for case .storeRevisions(let job, _, _) in actions { return job }
        throw MissingJob()
    }

    /// A gateway that gives up a revision which it has sent already: a checkpoint must not contain it before it is stored.
    @Test func aNorevAfterItsRevisionCompletesNothing() throws {
        var test = self
        let rows = test.receive("changes", [:], #"[[5,"a","1-a"]]"#, number: 1)
        let lookUp = try Self.lookUp(in: rows)
        _ = test.session.complete(lookUp, with: .wanted([.wanted(ancestors: [])]), at: now)
        let arrived = test.receive("rev", ["id": "a", "rev": "1-a", "sequence": "5"], "{}", number: 2)
        let job = try Self.storing(in: arrived)
        let given = test.receive("norev", ["id": "a", "rev": "1-a", "sequence": "5", "error": "404"], "", number: 3)
        let later = test.session.timerFired(at: now + 10 * ActiveLimits.checkpointInterval)
        let early = Self.requests(given + later).map(\.request.properties["Profile"])
        #expect(!early.contains("setCheckpoint"))
        let afterwards = now + 20 * ActiveLimits.checkpointInterval
        let stored = test.session.complete(job, with: .stored([.inserted]), at: afterwards)
        #expect(Self.requests(stored).map(\.request.properties["Profile"]).contains("setCheckpoint"))
    }
}
