import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import SyncProtocol
import Testing

/// A session, and a test that plays its client and its driver.
struct PassiveTestClient {
    private(set) var session: PassiveSession
    /// Actions of the last step, messages aside.
    private(set) var actions: [PassiveAction] = []
    /// Messages of the last step.
    private(set) var sent: [BLIPOutgoing] = []
    private(set) var lastNumber: UInt32 = 0
    /// Bytes that the driver has for revisions.
    var room = Int.max

    init(
        _ version: SyncSubprotocol = .version3, hasDefaultCollection: Bool = true, usesDeltas: Bool = false,
        allowsConflicts: Bool = false
    ) {
        session = PassiveSession(
            version: version, hasDefaultCollection: hasDefaultCollection, usesDeltas: usesDeltas,
            allowsConflicts: allowsConflicts)
    }

    // MARK: The client

    /// Sends a request; returns its number.
    @discardableResult
    mutating func request(
        _ properties: BLIPProperties, _ body: String = "", isNoReply: Bool = false
    ) -> UInt32 {
        lastNumber += 1
        receive([.request(message(properties, body, isNoReply: isNoReply))])
        return lastNumber
    }

    private func message(_ properties: BLIPProperties, _ body: String, isNoReply: Bool) -> BLIPMessage {
        BLIPMessage(
            kind: .request, number: lastNumber, properties: properties, body: ByteBuffer(string: body),
            isNoReply: isNoReply)
    }

    mutating func answer(_ tag: UInt64, _ body: String = "", _ properties: BLIPProperties = [:]) {
        receive([
            .response(
                tag: tag,
                BLIPMessage(kind: .response, number: 1, properties: properties, body: ByteBuffer(string: body)))
        ])
    }

    mutating func receive(_ events: [BLIPIncoming]) {
        session.roomToLoad = room
        take(session.receive(events))
    }

    /// Declares collections, all of which exist; the step's messages are passed over.
    mutating func name(_ collections: [String]) throws {
        let names = collections.map { "\"\($0)\"" }.joined(separator: ",")
        let ids = collections.map { _ in "\"cp\"" }.joined(separator: ",")
        request(["Profile": "getCollections"], "{\"checkpoint_ids\":[\(ids)],\"collections\":[\(names)]}")
        try complete(.collections(collections.map { _ in .known(checkpoint: nil, revision: nil) }))
    }

    // MARK: The driver

    /// The job of the last step's only piece of work.
    func job() throws -> JobID {
        let jobs = actions.compactMap(\.job)
        try #require(jobs.count == 1, "\(actions)")
        return jobs[0]
    }

    mutating func complete(_ result: PassiveResult) throws { complete(try job(), result) }

    mutating func complete(_ job: JobID, _ result: PassiveResult) {
        session.roomToLoad = room
        take(session.complete(job, with: result))
    }

    private mutating func take(_ all: [PassiveAction]) {
        actions = []
        sent = []
        for action in all {
            if case .send(let messages) = action { sent += messages } else { actions.append(action) }
        }
    }

    // MARK: Questions

    /// The only message of the last step, as an error reply.
    func failure() throws -> BLIPErrorReply {
        guard sent.count == 1, case .failure(lastNumber, let error) = sent[0] else {
            throw Unexpected(what: "\(sent)")
        }
        return error
    }

    /// The requests of the last step with their tags.
    var requests: [(request: BLIPRequest, tag: UInt64)] {
        sent.compactMap { if case .request(let request, let tag) = $0 { (request, tag) } else { nil } }
    }

    /// Whether request `number` was answered with success in the last step.
    func isAnswered(_ number: UInt32) -> Bool {
        sent.contains { if case .response(number, _, _, _) = $0 { true } else { false } }
    }

    func failure(of number: UInt32) -> BLIPErrorReply? {
        for case .failure(number, let error) in sent { return error }
        return nil
    }

    struct Unexpected: Error { let what: String }
}
