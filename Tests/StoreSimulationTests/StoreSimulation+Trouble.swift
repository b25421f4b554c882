import CFaultyDisk
import GatewayCore
import SeededRandom
import SyncModels

/// Crashes, disks that fail, and access that changes.
extension StoreSimulation {
    func crashGateway() async throws {
        let crash: FaultyDisk.Crash = random.chance(50) ? .power : .process
        note("the gateway: a crash of \(crash)")
        counts.crashes += 1
        for client in clients { end(client) }
        try await gateway.crash(crash, seed: random.next())
    }

    func crash(_ client: SimulatedClient) throws {
        let crash: FaultyDisk.Crash = random.chance(50) ? .power : .process
        note("\(client.user): a crash of \(crash)")
        counts.crashes += 1
        end(client)
        try client.crash(crash, seed: random.next(), gatewaySequence: gateway.database.lastSequence)
    }

    func armFault(_ client: SimulatedClient) {
        let fault = [FAULTY_DISK_FULL, FAULTY_DISK_WRITE, FAULTY_DISK_SYNC].randomElement(using: &random)
        let disk = random.chance(50) ? client.disk : gateway.disk
        let count = Int.random(in: 0..<30, using: &random)
        let times = Int.random(in: 1...3, using: &random)
        note("\(disk === client.disk ? client.user : "the gateway"): write \(count) will fail")
        disk.fail(fault ?? FAULTY_DISK_WRITE, after: count, times: times)
    }

    func someAccess(of client: SimulatedClient) async {
        let channels = Set(Self.channels.filter { _ in random.chance(60) })
        note("\(client.user) gets \(channels.sorted())")
        await gateway.setChannels(channels, of: client.user)
    }
}
