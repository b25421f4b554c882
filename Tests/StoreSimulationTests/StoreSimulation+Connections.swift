import BLIPProtocol
import SeededRandom
import SyncModels
import SyncProtocol

/// Connections: frames, what the two ends do, and their end.
extension StoreSimulation {
    /// Something of a client's connection happens; whether anything could.
    @discardableResult
    func progress(_ client: SimulatedClient, isQuiet: Bool) async throws -> Bool {
        for choice in (0..<7).shuffled(using: &random) {
            let hasHappened =
                switch choice {
                case 0: try move(client, from: .client)
                case 1: try move(client, from: .gateway)
                case 2: try deliver(client, to: .gateway)
                case 3: try deliver(client, to: .client)
                case 4: try await work(for: client, isQuiet: isQuiet)
                case 5: try await resolve(client)
                default: try wake(client, isQuiet: isQuiet)
                }
            if hasHappened { return true }
        }
        return false
    }

    func move(_ client: SimulatedClient, from end: SimulatedLine.End) throws -> Bool {
        guard let line = lines[client.user], let events = try line.depart(from: end) else { return false }
        note("\(client.user): a frame leaves the \(end)")
        try hand(events, to: end, of: client)
        return true
    }

    func deliver(_ client: SimulatedClient, to end: SimulatedLine.End) throws -> Bool {
        guard let line = lines[client.user], let events = try line.arrive(at: end) else { return false }
        note("\(client.user): a frame arrives at the \(end)")
        try hand(events, to: end, of: client)
        return true
    }

    func hand(_ events: [BLIPIncoming], to end: SimulatedLine.End, of client: SimulatedClient) throws {
        guard !events.isEmpty else { return }
        switch end {
        case .client: client.peer?.receive(events)
        case .gateway: gateway.receive(events, from: client.user)
        }
        try collect(client)
    }

    func work(for client: SimulatedClient, isQuiet: Bool) async throws -> Bool {
        guard let count = gateway.sessions[client.user]?.peer.work.count else { return false }
        for index in (0..<count).shuffled(using: &random) {
            let crashes = !isQuiet && random.chance(1)
            guard let (action, result) = await gateway.work(for: client.user, at: index, crashes: crashes) else {
                continue
            }
            note("\(client.user): the gateway has done \(action): \(String(describing: result))")
            if crashes { try await crashGateway() } else { try collect(client) }
            return true
        }
        return false
    }

    func resolve(_ client: SimulatedClient) async throws -> Bool {
        guard try await client.resolve() else { return false }
        note("\(client.user): a conflict is resolved")
        try collect(client)
        return true
    }

    func wake(_ client: SimulatedClient, isQuiet: Bool) throws -> Bool {
        guard client.peer?.wakeUp != nil, isQuiet || random.chance(20) else { return false }
        client.peer?.wake()
        now = max(now, client.peer?.now ?? 0)
        note("\(client.user): time passes")
        try collect(client)
        return true
    }

    /// What both ends have to send goes on the line; a session that is over is ended.
    func collect(_ client: SimulatedClient) throws {
        guard let line = lines[client.user] else { return }
        let failures = client.disk.failures
        try line.send(client.peer?.takeSent() ?? [], from: .client)
        try line.send(gateway.sessions[client.user]?.peer.takeSent() ?? [], from: .gateway)
        if let closing = gateway.sessions[client.user]?.peer.closing {
            ownProblems.append("the gateway closed: \(closing)")
        }
        guard let closing = client.peer?.closing else { return }
        note("\(client.user): the session is over: \(closing)")
        counts.sessions += 1
        // After that one the next session asks for more.
        if let failure = closing.failure, failure != .asksAgain, failures == 0, gateway.disk.failures == 0 {
            ownProblems.append("\(client.user)'s session failed: \(failure)")
        }
        end(client)
    }

    func open(_ client: SimulatedClient, isContinuous: Bool) throws {
        note("\(client.user): connects, \(isContinuous ? "continuous" : "once")")
        lines[client.user] = SimulatedLine()
        gateway.accept(client.user)
        let failures = client.disk.failures
        do { try client.connect(isContinuous: isContinuous, now: now) } catch {
            if client.disk.failures == failures { throw error }
        }
        try collect(client)
    }

    func cut(_ client: SimulatedClient) {
        guard client.peer != nil else { return }
        note("\(client.user): the line is cut")
        counts.cuts += 1
        client.peer?.lose()
        end(client)
    }

    func end(_ client: SimulatedClient) {
        client.disconnect()
        lines[client.user] = nil
        gateway.sessions[client.user] = nil
    }
}
