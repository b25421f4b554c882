import DocumentValues
import NIOCore

/// Attachments of pulled revisions: fetched before the revision is stored, each digest once, however many revisions wait for
/// it.
struct PulledAttachments: Sendable {
    private struct Waiting: Sendable {
        var handle: ArrivalTable.Handle
        var documentID: String
        var missing: Set<Name>
        /// The document's metadata of its blobs; if two have the same digest, the first counts.
        var blobs: [Name: BlobMetadata]

        init(_ handle: ArrivalTable.Handle, arrival: Arrival, missing: [Name]) {
            self.handle = handle
            documentID = arrival.documentID
            self.missing = Set(missing)
            blobs = Dictionary(
                arrival.revision.body.named.map { (Name($0.digest.text), $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private struct Transfer: Sendable {
        var digest: Name
        var weight: UInt64
        /// The waiting revision in whose name the blob is requested from the gateway.
        var ticket: Int
    }

    private var waiting: [Int: Waiting] = [:]
    /// The revisions that wait for a digest, in their order; some of them may have been given up.
    private var tickets: [Name: CircularBuffer<Int>] = [:]
    /// Missing digests that are not being fetched yet, each once.
    private var queue = CircularBuffer<Name>()
    private var active: [UInt64: Transfer] = [:]
    private var lastTicket = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ handle: ArrivalTable.Handle, arrival: Arrival, missing: [Name]) {
        lastTicket += 1
        waiting[lastTicket] = Waiting(handle, arrival: arrival, missing: missing)
        for digest in missing where tickets[digest]?.last != lastTicket {
            if tickets[digest] == nil { queue.append(digest) }
            tickets[digest, default: CircularBuffer()].append(lastTicket)
        }
    }

    mutating func start(_ index: Int, _ context: inout ActiveContext) {
        while let digest = queue.first {
            guard let ticket = nextTicket(for: digest), let asking = waiting[ticket] else {
                queue.removeFirst()
                continue
            }
            let blob = asking.blobs[digest]
            let weight = AttachmentsUnderWay.weight(of: blob?.length)
            guard context.attachments.begin(weight, for: index, within: context.window) else { return }
            queue.removeFirst()
            let tag = context.output.tag(.attachment, collection: index)
            active[tag] = Transfer(digest: digest, weight: weight, ticket: ticket)
            let request = GetAttachment(
                collection: context.wireIndex(index), digest: digest.text, documentID: asking.documentID,
                compresses: blob?.isCompressible ?? true)
            let longest = max(blob?.length ?? 0, ActiveLimits.unannouncedBytes)
            context.output.begin(.fetchAttachment(collection: index, tag: tag)) { id in
                .fetchAttachment(id, collection: index, request, longest: longest, tag: tag)
            }
        }
    }

    /// The first revision that waits for a digest and was not given up; if there is none, the digest is not needed any
    /// more.
    private mutating func nextTicket(for digest: Name) -> Int? {
        while let ticket = tickets[digest]?.first {
            if waiting[ticket] != nil { return ticket }
            tickets[digest]?.removeFirst()
        }
        tickets[digest] = nil
        return nil
    }

    /// - Returns: the revisions that now have all their blobs, and the one that cannot have them.
    mutating func finished(
        _ tag: UInt64, failure: SyncFailure?, _ context: inout ActiveContext
    ) -> (complete: [ArrivalTable.Handle], failed: (ArrivalTable.Handle, SyncFailure)?) {
        guard let transfer = active.removeValue(forKey: tag) else { return ([], nil) }
        context.attachments.end(transfer.weight)
        guard let failure else {
            context.window.arrived()
            return (arrived(transfer.digest), nil)
        }
        let failed = waiting.removeValue(forKey: transfer.ticket)
        // The gateway may allow it for another document that refers to the blob.
        if nextTicket(for: transfer.digest) != nil { queue.append(transfer.digest) }
        return ([], failed.map { ($0.handle, failure) })
    }

    private mutating func arrived(_ digest: Name) -> [ArrivalTable.Handle] {
        var complete: [ArrivalTable.Handle] = []
        for ticket in tickets.removeValue(forKey: digest) ?? CircularBuffer() {
            waiting[ticket]?.missing.remove(digest)
            if let done = waiting[ticket], done.missing.isEmpty {
                waiting[ticket] = nil
                complete.append(done.handle)
            }
        }
        return complete
    }
}
