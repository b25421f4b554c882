import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import Testing

@testable import SyncProtocol

/// An active session whose gateway is played by the test, message by message.
struct ScriptedGateway {
    var peer: ActivePeer<ModelClient>
    private var requests: [(message: BLIPMessage, tag: UInt64)] = []
    private(set) var replies: [UInt32: BLIPOutgoing] = [:]
    private var lastNumber: UInt32 = 0

    init(_ configuration: ActiveConfiguration, _ client: ModelClient) {
        peer = ActivePeer(configuration, model: client)
        peer.connect()
        collect()
    }

    private mutating func collect() {
        for outgoing in peer.takeSent() {
            switch outgoing {
            case .request(let request, let tag): requests.append((request.received(), tag))
            case .response(let number, _, _, _), .failure(let number, _): replies[number] = outgoing
            }
        }
    }

    /// What the client has sent and not been answered, oldest first.
    func sent(_ profile: MessageProfile) -> [BLIPMessage] {
        requests.filter { $0.message.profile == profile.rawValue }.map(\.message)
    }

    /// The oldest unanswered request of this kind.
    private mutating func take(_ profile: MessageProfile) throws -> UInt64 {
        let index = try #require(
            requests.firstIndex { $0.message.profile == profile.rawValue && !$0.message.isNoReply },
            "the client has sent no \(profile)")
        return requests.remove(at: index).tag
    }

    mutating func answer(_ profile: MessageProfile, _ properties: BLIPProperties = [:], _ body: String = "") throws {
        let tag = try take(profile)
        let reply = BLIPMessage(
            kind: .response, number: 1, properties: properties, body: ByteBuffer(string: body))
        let isStreamed = profile == .getAttachment
        peer.receive([isStreamed ? .responsePart(tag: tag, reply.body, isLast: true) : .response(tag: tag, reply)])
        collect()
    }

    mutating func refuse(_ profile: MessageProfile, _ error: BLIPErrorReply) throws {
        peer.receive([.failure(tag: try take(profile), error)])
        collect()
    }

    @discardableResult
    mutating func request(
        _ profile: MessageProfile, _ properties: BLIPProperties = [:], _ body: String = "", isNoReply: Bool = false
    ) -> UInt32 {
        lastNumber += 1
        var all: BLIPProperties = [BLIPProperties.profileKey: profile.rawValue]
        for property in properties { all.append(property.key, value: property.value) }
        let message = BLIPMessage(
            kind: .request, number: lastNumber, properties: all, body: ByteBuffer(string: body), isNoReply: isNoReply)
        peer.receive([.request(message)])
        collect()
        return lastNumber
    }

    /// Saves all checkpoints that the client wants to save.
    mutating func takeCheckpoints() throws {
        while !sent(.setCheckpoint).isEmpty { try answer(.setCheckpoint, ["rev": "0-1"]) }
    }

    func bodyOfReply(_ number: UInt32) -> String? {
        guard case .response(_, _, .bytes(let body), _)? = replies[number] else { return nil }
        return String(decoding: body.readableBytesView, as: UTF8.self)
    }

    func errorReply(_ number: UInt32) -> BLIPErrorReply? {
        if case .failure(_, let error)? = replies[number] { error } else { nil }
    }

    mutating func wake() {
        peer.wake()
        collect()
    }

    /// Saves checkpoints and lets time pass until then, as far as the session wants to be woken.
    mutating func settle(until time: Instant) throws {
        try takeCheckpoints()
        while let next = peer.wakeUp, next <= time {
            wake()
            try takeCheckpoints()
        }
        peer.now = max(peer.now, time)
    }

    mutating func stop() {
        peer.stop()
        collect()
    }

    mutating func edit(_ id: String, _ body: String = "{}") {
        peer.store.edit(id, in: 0, body: body)
        peer.committed(in: [0])
        collect()
    }
}

extension ScriptedGateway {
    /// One named collection, its checkpoint unknown to the gateway, and the feed subscribed to.
    static func opened(
        pushes: Bool = true, pulls: Bool = true, isContinuous: Bool = false,
        _ client: ModelClient = ModelClient(collections: 1)
    ) throws -> ScriptedGateway {
        let configuration = try ActiveConfiguration.test(
            ["field.sites"], pushes: pushes, pulls: pulls, isContinuous: isContinuous)
        var gateway = ScriptedGateway(configuration, client)
        try gateway.answer(.getCollections, [:], "[{}]")
        if pulls { try gateway.answer(.subChanges) }
        return gateway
    }

    mutating func announce(_ rows: String) -> UInt32 { request(.changes, ["collection": "0"], rows) }

    mutating func announceCaughtUp() { request(.changes, ["collection": "0"], "null", isNoReply: true) }

    @discardableResult
    mutating func sendRev(
        _ id: String, _ revision: String, sequence: String, _ body: String = "{}", history: String = "",
        wantsReply: Bool = false
    ) -> UInt32 {
        request(
            .rev, ["collection": "0", "id": id, "rev": revision, "sequence": sequence, "history": history], body,
            isNoReply: !wantsReply)
    }
}
