import DocumentValues
import Foundation
import SeededRandom
import SyncProtocol

/// Real databases of several clients and a gateway, their sessions and all that can come between them, from one seed. One
/// thing happens at a time, and is over before the next.
final class StoreSimulation {
    static let documents = ["a", "b", "c", "d", "e", "f"]
    static let channels = ["north", "south"]

    let folder: URL
    var random: SimulationRandom
    let names: [CollectionName]
    let gateway: SimulatedGateway
    private(set) var clients: [SimulatedClient] = []
    var lines: [String: SimulatedLine] = [:]
    var now: Instant = 1_900_000_000_000
    var counter = 0
    let usesDeltas: Bool
    /// What has happened, for somebody who runs a seed again.
    private(set) var trace: [String] = []
    var counts = StoreSimulationCounts()
    var ownProblems: [String] = []

    var problems: [String] { ownProblems + gateway.problems + clients.flatMap(\.problems) }

    init(seed: UInt64, in folder: URL) async throws {
        self.folder = folder
        random = SimulationRandom(seed: seed)
        let texts = random.chance(50) ? ["field.sites", "field.inspections"] : ["_default._default"]
        names = try texts.map { try CollectionName(parsing: $0) }
        usesDeltas = random.chance(60)
        gateway = try await SimulatedGateway(
            names: names, usesDeltas: usesDeltas, folder: folder.appendingPathComponent("gateway"))
        for user in ["ada", "ben"].prefix(Int.random(in: 1...2, using: &random)) {
            let folder = folder.appendingPathComponent(user)
            let client = try SimulatedClient(user, names: names, folder: folder, seed: random.next())
            client.crashRate = 4
            clients.append(client)
            await gateway.setChannels(Set(Self.channels), of: user)
        }
    }

    func run() async throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) { await someEdit() }
        for _ in 0..<Int.random(in: 60...800, using: &random) where problems.isEmpty { try await step() }
        guard problems.isEmpty else { return }
        try await settle()
        guard problems.isEmpty else { return }
        try await check()
    }

    /// Closes all files, and counts.
    func end() async {
        for client in clients { client.close() }
        await gateway.close()
        for client in clients { counts += client.counts }
        counts.pushed += gateway.pushed
        counts.faults += gateway.faults
    }

    func note(_ event: @autoclosure () -> String) { trace.append(event()) }

    private func step() async throws {
        guard let client = random.pick(clients) else { return }
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<60: await someEdit()
        case 60..<70: await someAccess(of: client)
        case 70..<82: try await crashGateway()
        case 82..<94: try crash(client)
        case 94..<110: armFault(client)
        case 110..<125: cut(client)
        default:
            if client.peer == nil { try open(client, isContinuous: random.chance(60)) }
            try await progress(client, isQuiet: false)
        }
        try afterwards()
    }

    /// A client that was interrupted in the middle of what it did is started again.
    private func afterwards() throws {
        for client in clients where client.isToCrash { try crash(client) }
    }
}
