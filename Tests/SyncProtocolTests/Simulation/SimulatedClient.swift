import BLIPProtocol
import NIOCore
import SyncModels

@testable import SyncProtocol

/// A client with its connection to a gateway, both machines, and all that is under way between them.
struct SimulatedClient {
    let collectionNames: [String]
    /// Which of several clients it is.
    let number: Int
    private var stored: ModelClient
    private(set) var active: ActiveHarness?
    private var passive = PassiveSession(version: .version3, hasDefaultCollection: true)
    private var connection = SimulatedConnection()
    /// What the gateway's session has asked for and not been told.
    private var jobs: [PassiveAction] = []
    private(set) var problems: [String] = []

    init(collectionNames: [String], number: Int = 0) {
        self.collectionNames = collectionNames
        self.number = number
        stored = ModelClient(collections: collectionNames.count)
    }

    var isConnected: Bool { active != nil }

    /// Its documents.
    var model: ModelClient {
        get { active?.client ?? stored }
        set {
            if active == nil { stored = newValue } else { active?.client = newValue }
        }
    }

    // MARK: - Connections

    mutating func open(isContinuous: Bool, usesDeltas: Bool, _ gateway: inout ModelGateway) {
        guard var configuration = try? ActiveConfiguration.test(collectionNames, isContinuous: isContinuous) else {
            return problems.append("no configuration")
        }
        for index in configuration.collections.indices { configuration.collections[index].checkpointID += "-\(number)" }
        active = ActiveHarness(configuration, client: stored)
        active?.delaysResolutions = true
        passive = PassiveSession(version: .version3, hasDefaultCollection: true, usesDeltas: usesDeltas)
        connection = SimulatedConnection()
        jobs = []
        gateway.forgetFeeds(of: number)
        active?.connect()
        collect(&gateway)
    }

    /// The line goes dead: what is under way is lost.
    mutating func cut() {
        guard var harness = active else { return }
        harness.lose()
        stored = harness.client
        active = nil
    }

    /// The store was changed by a person.
    mutating func committed(in index: Int, _ gateway: inout ModelGateway) {
        active?.committed(in: index)
        collect(&gateway)
    }

    private mutating func collect(_ gateway: inout ModelGateway) {
        guard var harness = active else { return }
        connection.sendToServer(harness.takeSent())
        let isOver = harness.closing != nil
        active = harness
        guard isOver else { return }
        if let failure = harness.closing?.failure { problems.append("the client stopped: \(failure)") }
        stored = harness.client
        active = nil
    }

    private mutating func perform(_ actions: [PassiveAction], _ gateway: inout ModelGateway) {
        for action in actions {
            switch action {
            case .send(let batch): connection.sendToClient(batch)
            case .serveAttachment(let number, _, _, let digest, _):
                let answer: BLIPOutgoing =
                    gateway.blobs[digest].map {
                        .response(to: number, properties: [:], body: .bytes($0), isCompressed: true)
                    } ?? .failure(to: number, .http(404, "missing"))
                connection.sendToClient([answer])
            case .close(let code, let reason): problems.append("the gateway closed: \(code) \(reason)")
            case .closeFeed, .dropAttachments: _ = gateway.perform(action, for: number)
            case .pauseReading, .resumeReading: break
            case .resolveCollections, .loadCheckpoint, .saveCheckpoint, .openFeed, .nextRows, .checkAnnounced,
                .checkProposed, .loadSources, .storeRevisions, .loadRevisions, .keepAttachment:
                jobs.append(action)
            }
        }
    }

    // MARK: - Steps, each with whether anything happened

    mutating func deliverToServer(_ gateway: inout ModelGateway) -> Bool {
        guard connection.hasMessagesForServer else { return false }
        let (message, echo) = connection.deliverToServer()
        if let message { perform(passive.receive([message]), &gateway) }
        if let echo { active?.receive(echo) }
        collect(&gateway)
        return true
    }

    /// - Parameter count: messages that come at once.
    mutating func deliverToClient(_ count: Int, _ gateway: inout ModelGateway) -> Bool {
        guard connection.hasMessagesForClient else { return false }
        var messages: [BLIPIncoming] = []
        for _ in 0..<count {
            let (message, echo) = connection.deliverToClient()
            if let message { messages.append(message) }
            if let echo { perform(passive.receive([echo]), &gateway) }
        }
        active?.receiveOrStore(messages)
        collect(&gateway)
        return true
    }

    mutating func doJob(_ gateway: inout ModelGateway, _ random: inout SimulationRandom) -> Bool {
        for index in jobs.indices.shuffled(using: &random) {
            // A feed without news is asked again later.
            guard let (id, result) = gateway.perform(jobs[index], for: number) else { continue }
            jobs.remove(at: index)
            perform(passive.complete(id, result), &gateway)
            return true
        }
        return false
    }

    mutating func resolveConflict(_ gateway: inout ModelGateway) -> Bool {
        guard var harness = active, harness.resolveOne() else { return false }
        active = harness
        collect(&gateway)
        return true
    }

    mutating func wake(_ gateway: inout ModelGateway) -> Bool {
        guard var harness = active, harness.wakeUp != nil else { return false }
        harness.wake()
        active = harness
        collect(&gateway)
        return true
    }

    /// A one-shot replication from its beginning to its end; what came of it.
    mutating func runOnce(_ gateway: inout ModelGateway, _ random: inout SimulationRandom, usesDeltas: Bool) -> String?
    {
        open(isContinuous: false, usesDeltas: usesDeltas, &gateway)
        for _ in 0..<20_000 {
            guard isConnected else { return nil }
            guard step(&gateway, &random) else {
                cut()
                return "a one-shot replication waits for ever"
            }
        }
        return "a one-shot replication does not end"
    }

    /// Whatever is due, in any order.
    mutating func step(_ gateway: inout ModelGateway, _ random: inout SimulationRandom) -> Bool {
        for choice in (0..<5).shuffled(using: &random) {
            let hasHappened =
                switch choice {
                case 0: deliverToServer(&gateway)
                case 1: deliverToClient(Int.random(in: 1...4, using: &random), &gateway)
                case 2, 3: doJob(&gateway, &random)
                default: resolveConflict(&gateway) || wake(&gateway)
                }
            if hasHappened { return true }
        }
        return false
    }
}
