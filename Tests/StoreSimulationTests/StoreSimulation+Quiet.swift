import DocumentStore
import DocumentValues
import GatewayCore

/// After the trouble: all sides agree.
extension StoreSimulation {
    /// Nothing fails and nobody edits any more: one-shot replications until nothing is left to do.
    func settle() async throws {
        note("all is quiet")
        gateway.disk.heal()
        for client in clients {
            // First: a session that ends saves its checkpoint, and could be interrupted there.
            client.crashRate = 0
            end(client)
            client.disk.heal()
        }
        var settled = 0
        for _ in 0..<12 {
            let before = [gateway.ledger.current] + clients.map(\.ledger.current)
            for client in clients { try await replicate(client) }
            guard problems.isEmpty else { return }
            let left = try unsettled()
            let hasChanged = before != [gateway.ledger.current] + clients.map(\.ledger.current)
            settled = left.isEmpty && !hasChanged ? settled + 1 : 0
            if settled == 2 { return }
        }
        ownProblems.append("after twelve replications something is still to be pushed: \(try unsettled())")
    }

    func replicate(_ client: SimulatedClient) async throws {
        try open(client, isContinuous: false)
        var steps = 0
        while client.peer != nil, try await progress(client, isQuiet: true) {
            steps += 1
            if steps > 20_000 { return ownProblems.append("a one-shot replication does not end") }
        }
        guard client.peer != nil else { return }
        end(client)
        ownProblems.append("\(client.user)'s one-shot replication waits for ever")
    }

    func unsettled() throws -> [String] {
        try clients.flatMap { client in
            let rejected = try client.rejected()
            return try client.revisions().filter { key, revision in
                revision.isInConflict || (!revision.isKnownToRemote && !rejected.contains(key))
            }.map { key, revision in "\(client.user) has \(revision.revision) of \(key)" }.sorted()
        }
    }

    func check() async throws {
        for client in clients {
            try client.check(gatewaySequence: gateway.database.lastSequence)
            try await compare(client)
        }
        try gateway.checkFile()
        let found = await gateway.state()
        if found != gateway.ledger.current {
            ownProblems.append("what was promised: \(Ledger.difference(found, from: gateway.ledger.current))")
        }
    }

    func compare(_ client: SimulatedClient) async throws {
        let ours = try client.revisions()
        let rejected = try client.rejected()
        let visible = Set((gateway.channels[client.user] ?? []).map { Name($0) })
        for index in names.indices {
            for id in Self.documents {
                let key = DocumentKey(collection: index, id: id)
                guard !rejected.contains(key) else { continue }
                let theirs = await gateway.details(key)?.revision
                let isTheirs = theirs.map { !$0.isDeleted && !$0.channels.isDisjoint(with: visible) } ?? false
                let own = ours[key].flatMap { $0.isDeleted ? nil : $0 }
                switch (own, isTheirs ? theirs : nil) {
                case (nil, nil): break
                case (nil, let theirs?):
                    if client.purged.contains(key) { break }
                    ownProblems.append("\(client.user) lacks \(theirs.revision) of \(key)")
                case (_?, nil): ownProblems.append("\(client.user) has \(key), which is gone or not to be seen")
                case (let own?, let theirs?): compare(own, theirs, key: key, client: client)
                }
            }
        }
    }

    func compare(
        _ own: LocalRevision, _ theirs: DocumentRevision, key: DocumentKey, client: SimulatedClient
    ) {
        // It may have another name there.
        let expected = own.isKnownToRemote ? own.remoteRevision ?? own.revision : own.revision
        guard expected == theirs.revision else {
            return ownProblems.append(
                "\(client.user) has \(own.revision) of \(key), the gateway \(theirs.revision)")
        }
        if number(own.body) != number(theirs.body) { ownProblems.append("\(key) differs at \(client.user)") }
    }

    func number(_ body: [UInt8]) -> UInt64? { (try? JSONObject(parsing: body))?["n"]?.numberValue?.uint64 }
}
