import DocumentValues

/// Blobs on their way: each digest is fetched once, however many revisions wait for it.
struct Downloads: Sendable {
    private struct Waiting: Sendable {
        var arrival: Puller.Arrival
        var missing: Set<String>
    }

    private struct Transfer: Sendable {
        var digest: String
        /// For whose sake the gateway lets us have it.
        var ticket: Int
    }

    private var waiting: [Int: Waiting] = [:]
    private var tickets: [String: [Int]] = [:]
    private var queue: [String] = []
    private var active: [UInt64: Transfer] = [:]
    private var lastTicket = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ arrival: Puller.Arrival, missing: [String]) {
        lastTicket += 1
        waiting[lastTicket] = Waiting(arrival: arrival, missing: Set(missing))
        for digest in Set(missing) {
            if tickets[digest] == nil { queue.append(digest) }
            tickets[digest, default: []].append(lastTicket)
        }
    }

    mutating func start(_ index: Int, _ context: inout ActiveContext) {
        while active.count < ActiveLimits.downloads, !queue.isEmpty {
            let digest = queue.removeFirst()
            guard let ticket = tickets[digest]?.first, let arrival = waiting[ticket]?.arrival else { continue }
            let blob = arrival.blobs.first { $0.digest.text == digest }
            let tag = context.tag(.attachment, index)
            active[tag] = Transfer(digest: digest, ticket: ticket)
            context.actions.append(
                .download(
                    collection: index,
                    GetAttachment(
                        collection: context.wireIndex(index), digest: digest,
                        documentID: arrival.revision.documentID, compresses: blob?.isCompressible ?? true),
                    tag: tag))
        }
    }

    /// - Returns: the revisions that now have all their blobs, and the one that cannot have them.
    mutating func finished(
        _ tag: UInt64, _ failure: SyncFailure?
    ) -> (complete: [Puller.Arrival], failed: (Puller.Arrival, SyncFailure)?) {
        guard let transfer = active.removeValue(forKey: tag) else { return ([], nil) }
        guard let failure else { return (arrived(transfer.digest), nil) }
        let failed = waiting.removeValue(forKey: transfer.ticket)
        for digest in failed?.missing ?? [] {
            tickets[digest]?.removeAll { $0 == transfer.ticket }
            if tickets[digest]?.isEmpty == true { tickets[digest] = nil }
        }
        // The gateway may let us have it for another document's sake.
        if tickets[transfer.digest] != nil { queue.append(transfer.digest) }
        return ([], failed.map { ($0.arrival, failure) })
    }

    private mutating func arrived(_ digest: String) -> [Puller.Arrival] {
        var complete: [Puller.Arrival] = []
        for ticket in tickets.removeValue(forKey: digest) ?? [] {
            waiting[ticket]?.missing.remove(digest)
            if let done = waiting[ticket], done.missing.isEmpty {
                waiting[ticket] = nil
                complete.append(done.arrival)
            }
        }
        return complete
    }
}
