import BLIPProtocol
import BLIPTransport
import DocumentValues
import NIOCore
import NIOPosix
import SyncProtocol
import Synchronization
import Testing

/// A client of the sync endpoint that sends what it likes and remembers all that it receives.
final class HostileSync: BLIPConnectionDelegate {
    private enum Event: Sendable {
        case incoming(BLIPIncoming)
        case closed(BLIPCloseReason)
    }

    struct Closed: Error {
        let reason: BLIPCloseReason?
    }

    private struct State {
        var tag: UInt64 = 0
        var heard: [BLIPMessage] = []
        /// How many of them, by profile.
        var numbers: [String: Int] = [:]
        var answers: [String: BLIPErrorReply] = [:]
        var silent: Set<String> = []
        var contents: [String: [UInt8]] = [:]
    }

    let connection: BLIPConnection
    private let events: AsyncStream<Event>
    private let inbox: AsyncStream<Event>.Continuation
    private let state = Mutex(State())

    /// - Parameter collections: what is asked of `getCollections`; none for a client that names no collection.
    init(
        _ gateway: TestGateway, user: String?, collections: [String] = ["field.inspections"],
        subprotocols: [String] = BLIPSubprotocol.offered
    ) async throws {
        (events, inbox) = AsyncStream.makeStream()
        connection = try await BLIPConnector.connect(
            BLIPClientConfiguration(
                url: "ws://127.0.0.1:\(gateway.publicPort)/db/_blipsync",
                authorization: user.map { TestTeam.basic($0).1 },
                subprotocols: subprotocols, connectTimeout: .minutes(1)),
            group: MultiThreadedEventLoopGroup.singleton)
        connection.start(delegate: self)
        guard !collections.isEmpty else { return }
        _ = try await ask(
            "getCollections",
            body: [
                "collections": .array(collections.map { .string($0) }),
                "checkpoint_ids": .array(collections.map { _ in "hostile" }),
            ])
    }

    deinit { connection.abort() }

    // MARK: - What the gateway says

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        for incoming in received {
            if case .request(let message) = incoming { answer(message) }
            inbox.yield(.incoming(incoming))
        }
    }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {
        inbox.yield(.closed(reason))
        inbox.finish()
    }

    /// Gives what the test says, and wants every row that is announced where it says nothing of that.
    private func answer(_ message: BLIPMessage) {
        let reply = state.withLock { state -> BLIPOutgoing? in
            let profile = message.profile ?? ""
            state.heard.append(message)
            state.numbers[profile, default: 0] += 1
            if state.silent.contains(profile) { return nil }
            if let refusal = state.answers[profile] { return .failure(to: message.number, refusal) }
            var body = state.contents[profile] ?? []
            if profile == "changes", body.isEmpty,
                let rows = try? JSONValue(parsing: message.bodyBytes).arrayValue
            {
                body = JSONValue.array(rows.map { _ in [] }).bytes
            }
            return .response(to: message.number, properties: [:], body: .bytes(body), isCompressed: false)
        }
        if let reply { connection.send([reply]) }
    }

    /// Leaves requests of a profile without an answer.
    func ignores(_ profile: String) { state.withLock { _ = $0.silent.insert(profile) } }

    /// What this client answers to requests of a profile.
    func answers(_ profile: String, _ content: [UInt8]) { state.withLock { $0.contents[profile] = content } }
    func refuses(_ profile: String, _ status: Int) {
        state.withLock { $0.answers[profile] = .http(status, message: "no") }
    }

    /// Requests of the gateway, by profile.
    var heardCompressed: Bool { state.withLock { $0.heard.contains { $0.isCompressed } } }

    func heard(_ profile: String) -> [BLIPMessage] {
        state.withLock { $0.heard.filter { $0.profile == profile } }
    }

    /// Whether a text is in anything that was received.
    func hasHeard(_ text: String) -> Bool {
        state.withLock { state in
            state.heard.contains { message in
                String(decoding: message.bodyBytes, as: UTF8.self).contains(text)
                    || message.properties.contains { $0.value.contains(text) }
            }
        }
    }

    // MARK: - What the client says

    enum Answer {
        case message(BLIPMessage)
        case refused(BLIPErrorReply)

        /// The HTTP status of a refusal; 200 for an answer.
        var status: Int {
            switch self {
            case .message: 200
            case .refused(let error): error.code
            }
        }

        var text: String {
            switch self {
            case .message(let message): String(decoding: message.bodyBytes, as: UTF8.self)
            case .refused(let error): error.message
            }
        }
    }

    func ask(_ profile: String, _ properties: BLIPProperties = [:], body: JSONValue) async throws -> Answer {
        try await ask(profile, properties, bytes: body.bytes)
    }

    /// Sends a request and waits for its answer.
    func ask(_ profile: String, _ properties: BLIPProperties = [:], bytes: [UInt8] = []) async throws -> Answer {
        let tag = state.withLock { state in
            state.tag += 1
            return state.tag
        }
        var all: BLIPProperties = ["Profile": profile]
        for property in properties { all.append(property.key, value: property.value) }
        connection.send([.request(BLIPRequest(properties: all, body: .bytes(bytes)), tag: tag)])
        for await event in events {
            switch event {
            case .incoming(.response(tag, let message)): return .message(message)
            case .incoming(.failure(tag, let error)): return .refused(error)
            case .incoming: continue
            case .closed(let reason): throw Closed(reason: reason)
            }
        }
        throw Closed(reason: nil)
    }

    /// Runs a feed to where it has caught up, and returns the ids that it announced.
    func pull(_ properties: BLIPProperties = [:], body: JSONValue? = nil) async throws -> (Answer, [String]) {
        let before = heard("changes").count
        let answer = try await ask("subChanges", properties, bytes: body?.bytes ?? [])
        guard answer.status == 200 else { return (answer, []) }
        if !hasCaughtUp(since: before) {
            for await event in events {
                if case .closed(let reason) = event { throw Closed(reason: reason) }
                if hasCaughtUp(since: before) { break }
            }
        }
        // What was wanted is sent before this is answered.
        _ = try await ask("PING")
        let rows = heard("changes").dropFirst(before).compactMap { try? JSONValue(parsing: $0.bodyBytes).arrayValue }
        return (answer, rows.joined().compactMap { $0.arrayValue?.dropFirst().first?.stringValue })
    }

    private func hasCaughtUp(since count: Int) -> Bool {
        heard("changes").dropFirst(count).contains { $0.bodyBytes == Array("null".utf8) }
    }

    /// Waits for requests of the gateway: for so many, since the beginning.
    func hears(_ profile: String, times count: Int = 1) async throws {
        func isEnough() -> Bool { state.withLock { $0.numbers[profile, default: 0] >= count } }
        guard !isEnough() else { return }
        for await event in events {
            if case .closed(let reason) = event { throw Closed(reason: reason) }
            if isEnough() { return }
        }
        throw Closed(reason: nil)
    }

    func push(
        _ id: String, _ revision: String, history: String = "", collection: String = "0", _ body: JSONValue
    ) async throws -> Answer {
        var properties: BLIPProperties = ["collection": collection, "id": id, "rev": revision]
        if !history.isEmpty { properties.append("history", value: history) }
        return try await ask("rev", properties, body: body)
    }
}
