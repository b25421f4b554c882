import BLIPProtocol
import DocumentValues
import NIOCore
import SeededRandom
import SyncModels

@testable import SyncProtocol

/// A client and a gateway, their machines and all that can come between them, from one seed.
struct ReplicationSimulation {
    private let seed: UInt64
    private var random: SimulationRandom
    private let collectionNames: [String]
    private var client: ModelClient
    private var gateway: ModelGateway
    private var active: ActivePeer<ModelClient>?
    private var passive = PassivePeer(PassiveSession(version: .version3, hasDefaultCollection: true))
    private var connection = SimulatedConnection()
    private var counter = 0
    private var sessions = 0
    private var accepted = AcceptedDocuments()
    /// Revisions may travel as differences; bodies are long enough for that.
    private let usesDeltas: Bool
    /// How often something did, from and to the gateway.
    private(set) var deltaCounts = (sent: 0, sources: 0)
    private(set) var problems: [String] = []

    private static let documents = ["a", "b", "c", "d", "e", "f", "g", "h"]
    private static let channels = ["north", "south"]

    init(seed: UInt64) {
        self.seed = seed
        random = SimulationRandom(seed: seed)
        collectionNames = random.chance(50) ? ["field.sites", "field.inspections"] : ["_default._default"]
        usesDeltas = random.chance(60)
        client = ModelClient(collections: collectionNames.count)
        gateway = ModelGateway(collections: collectionNames.count, channels: ["north", "south"])
    }

    mutating func run() {
        for _ in 0..<Int.random(in: 1...8, using: &random) { someEdit() }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            open(isContinuous: random.chance(60))
            for _ in 0..<Int.random(in: 5...120, using: &random) where active != nil { step(isQuiet: false) }
            cut()
            for _ in 0..<Int.random(in: 0...3, using: &random) { someEdit() }
            if random.chance(10) { replaceGateway() }
            if random.chance(10) { gateway.forgetReplaced() }
        }
        settle()
        check()
        countDeltas()
    }

    private mutating func countDeltas() {
        deltaCounts.sent += gateway.deltaCounts.sent
        deltaCounts.sources += gateway.deltaCounts.sources
    }

    /// Its disk is lost; at the same address there is a new one, which has nothing. A client that has no checkpoint yet
    /// cannot know; one that has still to resolve a conflict may take the old gateway's side of it for the new one's.
    private mutating func replaceGateway() {
        guard
            client.collections.allSatisfy({ collection in
                collection.checkpoint != nil && collection.documents.values.allSatisfy { $0.conflict == nil }
            })
        else { return }
        countDeltas()
        accepted.touchAll()
        gateway = ModelGateway(collections: collectionNames.count, channels: gateway.channels)
    }

    // MARK: - Connections

    private mutating func open(isContinuous: Bool) {
        sessions += 1
        guard
            let configuration = try? ActiveConfiguration.test(
                collectionNames, isContinuous: isContinuous, mark: "session \(sessions)")
        else { return problems.append("no configuration") }
        client.forgetsSources = random.chance(10)
        gateway.forgetsSources = random.chance(10)
        active = ActivePeer(configuration, model: client)
        active?.resolvesAtOnce = false
        passive = PassivePeer(
            PassiveSession(version: .version3, hasDefaultCollection: true, usesDeltas: usesDeltas))
        connection = SimulatedConnection()
        gateway.forgetFeeds()
        active?.connect()
        collect()
    }

    /// The line goes dead: what is under way is lost.
    private mutating func cut() {
        guard var peer = active else { return }
        peer.lose()
        client = peer.store
        active = nil
    }

    private mutating func collect() {
        connection.sendToServer(active?.takeSent() ?? [])
        guard let peer = active, let closing = peer.closing else { return }
        // After that one the next session asks for more.
        if let failure = closing.failure, failure != .asksAgain { problems.append("the client stopped: \(failure)") }
        client = peer.store
        active = nil
    }

    private mutating func collectFromGateway() {
        passive.release(in: &gateway)
        connection.sendToClient(passive.takeSent())
        guard let (code, reason) = passive.closing else { return }
        problems.append("the gateway closed: \(code) \(reason)")
        cut()
    }

    // MARK: - Steps

    /// One thing happens. Whether anything could.
    @discardableResult
    private mutating func step(isQuiet: Bool) -> Bool {
        let choices = (0..<(isQuiet ? 5 : 7)).shuffled(using: &random)
        for choice in choices {
            let hasHappened =
                switch choice {
                case 0: deliverToServer()
                case 1: deliverToClient()
                case 2, 3: doGatewaysWork()
                case 4: wakeClient(isQuiet: isQuiet)
                case 5: random.chance(25) ? someEdit() : false
                default: random.chance(10) ? changeAccess() : false
                }
            if hasHappened { return true }
        }
        return false
    }

    private mutating func deliverToServer() -> Bool {
        guard connection.hasMessagesForServer else { return false }
        let (message, echo) = connection.deliverToServer()
        if let message { passive.receive([message]) }
        collectFromGateway()
        if let echo { active?.receive([echo]) }
        collect()
        return true
    }

    private mutating func deliverToClient() -> Bool {
        guard connection.hasMessagesForClient else { return false }
        var messages: [BLIPIncoming] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let (message, echo) = connection.deliverToClient()
            if let message { messages.append(message) }
            if let echo { passive.receive([echo]) }
            collectFromGateway()
        }
        active?.receive(messages)
        collect()
        return true
    }

    private mutating func doGatewaysWork() -> Bool {
        for index in passive.work.indices.shuffled(using: &random) {
            // A feed without news is asked again later.
            guard passive.doWork(at: index, in: &gateway) else { continue }
            accepted.note(&gateway, active?.store ?? client)
            collectFromGateway()
            return true
        }
        return false
    }

    private mutating func wakeClient(isQuiet: Bool) -> Bool {
        if active?.hasResolutions == true {
            active?.resolveOne()
        } else {
            guard active?.wakeUp != nil, isQuiet || random.chance(20) else { return false }
            active?.wake()
        }
        collect()
        return true
    }

    private mutating func changeAccess() -> Bool {
        accepted.touchAll()
        gateway.setChannels(Set(Self.channels.filter { _ in random.chance(60) }))
        return true
    }

    /// Somebody changes a document, here or there.
    @discardableResult
    private mutating func someEdit() -> Bool {
        guard let id = random.pick(Self.documents), let channel = random.pick(Self.channels) else { return false }
        let index = Int.random(in: 0..<collectionNames.count, using: &random)
        counter += 1
        let isDeletion = random.chance(15)
        accepted.touch(id, in: index)
        let live = #"{"c":"\#(channel)","n":\#(counter)\#(note)}"#
        if random.chance(50) {
            // What was deleted is deleted once more where a deletion won a conflict on somebody else's laptop.
            let exists = gateway.collections[index][id] != nil
            guard exists || !isDeletion else { return false }
            let body = isDeletion ? "{}" : live
            gateway.edit(id, in: index, body: body, isDeleted: isDeletion)
            return true
        }
        var model = active?.store ?? client
        let exists = model.collections[index].documents[id].map { !$0.current.isDeleted } ?? false
        guard exists || !isDeletion else { return false }
        var body = isDeletion ? "{}" : live
        if !isDeletion, random.chance(20) { body = bodyWithBlob(channel, &model) }
        model.edit(id, in: index, body: body, isDeleted: isDeletion)
        if active != nil {
            active?.store = model
            active?.committed(in: [index])
            collect()
        } else {
            client = model
        }
        return true
    }

    private mutating func bodyWithBlob(_ channel: String, _ model: inout ModelClient) -> String {
        // Few different ones, so that some are there already.
        let content = Array("photo \(Int.random(in: 0..<4, using: &random))".utf8)
        let digest = BlobDigest(of: content).text
        model.blobs[digest] = content
        let blob = #"{"@type":"blob","digest":"\#(digest)","length":\#(content.count)}"#
        return #"{"c":"\#(channel)","n":\#(counter)\#(note),"photo":\#(blob)}"#
    }

    /// Long enough that a difference is worth its trouble, in one of a few ways with something new.
    private var note: String {
        guard usesDeltas else { return "" }
        let lines = (0..<6).map {
            $0 == counter % 6 ? "looked after \(counter) times" : "\($0): nothing found that day"
        }
        return #","note":"\#(lines.joined(separator: "; "))","lines":\#(JSONValue.array(lines.map { .string($0) }))"#
    }

    // MARK: - The end

    /// Nothing is cut and nobody edits any more: one-shot replications until nothing is left to do.
    private mutating func settle() {
        var settled = 0
        for _ in 0..<10 {
            open(isContinuous: false)
            var steps = 0
            while active != nil, step(isQuiet: true) {
                steps += 1
                if steps > 20_000 { return problems.append("a one-shot replication does not end") }
            }
            if active != nil {
                cut()
                return problems.append("a one-shot replication waits for ever")
            }
            let unsent = unsettled { $0.conflict == nil }
            if !unsent.isEmpty { problems.append("a run has left what it could have pushed: \(unsent)") }
            // What one run pushes may come back in the next.
            let left = unsettled { _ in true }
            settled = left.isEmpty ? settled + 1 : 0
            if settled == 2 { return }
        }
        problems.append("after ten replications something is still to be pushed: \(unsettled { _ in true })")
    }

    private func unsettled(_ counts: (ModelClient.Document) -> Bool) -> [String] {
        client.collections.enumerated().flatMap { index, collection in
            collection.documents.filter { id, document in
                counts(document)
                    && (document.conflict != nil
                        || (!document.isKnownToRemote && collection.rejected[id] != document.current.id))
            }.map { id, document in
                "\(id) in \(index): \(document.chain), there \(Self.text(gateway.collections[index][id]))"
            }
        }
    }

    private static func text(_ document: ModelGateway.Document?) -> String {
        guard let document else { return "nothing" }
        return "\(document.current.id) \(document.current.isDeleted ? "deleted" : document.channel ?? "")"
    }

    /// A difference says nothing of the order of members.
    private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        (try? JSONObject(parsing: left)) == (try? JSONObject(parsing: right))
    }

    private mutating func check() {
        problems += accepted.problems(gateway)
        for index in collectionNames.indices {
            let here = client.collections[index]
            for (name, document) in gateway.collections[index] where gateway.isVisible(document) {
                let id = name.text
                guard let ours = here.documents[id] else {
                    problems.append("\(id) is missing here; there \(Self.text(document))")
                    continue
                }
                if here.rejected[id] == ours.current.id { continue }
                // It may have another name there.
                let expected = ours.isKnownToRemote ? ours.remote : ours.current.id
                if expected != document.current.id
                    || !Self.isSame(ours.current.body, document.current.body)
                {
                    problems.append("\(id) is \(ours.current.id) here and \(document.current.id) there")
                }
            }
            for (id, document) in here.documents where !document.current.isDeleted && here.rejected[id] == nil {
                let theirs = gateway.collections[index][id]
                if !(theirs.map { gateway.isVisible($0) } ?? false) { problems.append("\(id) should not be here") }
            }
        }
    }
}
