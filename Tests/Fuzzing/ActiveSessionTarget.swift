import BLIPProtocol
import DocumentValues
import TranscriptSupport

@testable import SyncProtocol

extension FuzzTarget {
    /// A gateway that says anything at all, over a store that does what it is asked.
    static let activeSession = FuzzTarget(
        name: "active-session", seeds: { try ScriptedMessages.seeds(.toClient, between: "\u{1E}W") }
    ) { bytes in
        var world = try ActiveWorld(isNamed: bytes.count.isMultiple(of: 2))
        for entry in ScriptedMessages.entries(bytes) { world.take(entry) }
        world.end()
    }
}

private struct ActiveWorld {
    private var session: ActiveSession
    private var store = ObedientStore()
    private var now: Instant = 1_800_000_000_000
    private var unanswered: Set<UInt32> = []
    /// `job`: of a download.
    private var questions: [(tag: UInt64, job: JobID?)] = []

    init(isNamed: Bool) throws {
        let names = isNamed ? ["field.sites", "field.findings"] : ["_default"]
        var configuration = ActiveConfiguration(
            collections: try names.map {
                .init(name: try CollectionName(parsing: $0), checkpointID: "cp-\($0)")
            }, pushes: true, pulls: true, mark: "b")
        configuration.isContinuous = isNamed
        configuration.collections[0].localCheckpoint = Array(#"{"local":1,"remote":"2","mark":"a"}"#.utf8)
        session = ActiveSession(configuration)
        perform(session.connected(isNamed ? .version3 : .version2, at: now))
    }

    mutating func take(_ entry: ScriptedMessages.Entry) {
        now += 100
        switch entry.kind {
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            if !entry.message.isNoReply { unanswered.insert(entry.message.number) }
            perform(session.receive([.request(entry.message)], at: now))
        case UInt8(ascii: "R"): answer(entry) { .response(tag: $0, entry.message) }
        case UInt8(ascii: "E"): answer(entry) { .failure(tag: $0, BLIPErrorReply(entry.message)) }
        case UInt8(ascii: "C"): perform(session.localChangesCommitted(in: [0], at: now))
        case UInt8(ascii: "T"): perform(session.stop(at: now))
        default:
            now += 10_000
            perform(session.timerFired(at: now))
        }
    }

    mutating func end() { perform(session.connectionLost(at: now)) }

    private mutating func answer(_ entry: ScriptedMessages.Entry, _ event: (UInt64) -> BLIPIncoming) {
        guard !questions.isEmpty else { return }
        let question = questions.remove(at: entry.position % questions.count)
        guard let job = question.job else {
            return perform(session.receive([event(question.tag)], at: now))
        }
        // The driver keeps the bytes of an attachment and reports only how it went.
        let failure = entry.kind == UInt8(ascii: "E") ? SyncFailure(BLIPErrorReply(entry.message)) : nil
        perform(session.complete(job, with: .downloaded(failure), at: now))
    }

    private mutating func perform(_ first: [ActiveAction]) {
        var queue = first
        var next = 0
        // A gateway may keep a session busy as long as it talks, but not for ever with one message.
        while next < queue.count {
            check(next < 10_000, "one message leads to work without end")
            let action = queue[next]
            next += 1
            switch action {
            case .send(let batch): for message in batch { sent(message) }
            case .download(let job, _, _, _, let tag): questions.append((tag, job))
            case .serveAttachment(let number, _, _), .proveAttachment(let number, _, _): answered(number)
            case .report, .status, .wakeUp, .close: break
            case .readChanges, .readRejections, .loadRevisions, .markKnown, .recordRejection, .decideRows, .loadSources,
                .examine,
                .insert, .purge, .resolveConflicts, .saveLocalCheckpoint:
                guard let (job, result) = store.perform(action) else { continue }
                queue += session.complete(job, with: result, at: now)
            }
        }
    }

    private mutating func sent(_ message: BLIPOutgoing) {
        switch message {
        case .request(let request, let tag): if !request.isNoReply { questions.append((tag, nil)) }
        case .response(let number, _, _, _), .failure(let number, _): answered(number)
        }
    }

    private mutating func answered(_ number: UInt32) {
        check(unanswered.remove(number) != nil, "request \(number) is answered twice, or wants no answer")
    }
}
