import BLIPProtocol
import DocumentValues

/// A revision that was sent as a difference: what it takes to send it as a whole.
struct SentDelta {
    let collection: Int
    let acceptsReplacements: Bool
    let maxHistory: Int?
    let wanted: OpenChanges.Wanted
}

/// Revisions that are sent as differences to what the client has (§6.8).
extension PassiveSession {
    /// What to ask the driver for. The first ancestor that a client names is the one it would have a difference to.
    ///
    /// While a document is on its way the client may still be storing it, and with that lose the body of the ancestor
    /// that it has just named: what comes next is sent whole.
    func requests(ofLoad tag: UInt64) -> [RevisionRequest] {
        guard let open = openChanges[tag] else { return [] }
        let others = openChanges.filter { $0.key != tag }.values
        // Whatever else is being loaded may become a difference, too.
        var room = PassiveLimits.openDeltas - openDeltas.count - others.reduce(0) { $0 + $1.loading.count }
        if !usesDeltas || !clientTakesDeltas { room = 0 }
        var onTheirWay: Set<Name> = []
        if room > 0 {
            let sent = openDeltas.values.filter { $0.collection == open.collection }.map(\.wanted)
            let loading = others.filter { $0.collection == open.collection }.flatMap(\.loading)
            onTheirWay = Set((sent + loading).map { Name($0.row.documentID) })
        }
        return open.loading.map { wanted in
            var request = RevisionRequest(documentID: wanted.row.documentID, revision: wanted.row.revision)
            let isFirst = room > 0 && onTheirWay.insert(Name(request.documentID)).inserted
            guard isFirst, !wanted.isWhole, let source = wanted.ancestors.first.flatMap({ RevisionID($0) }) else {
                return request
            }
            room -= 1
            request.deltaSource = source
            return request
        }
    }

    /// A client that could do nothing with a difference gets the whole. It is read again, since keeping it for the few
    /// that ask would cost memory for all.
    ///
    /// Only where the difference was at fault: a stock client that failed over an attachment (404) has given the revision
    /// up, and a second one ends its whole replication.
    mutating func deltaRefused(_ tag: UInt64, _ error: BLIPErrorReply) {
        guard let sent = openDeltas.removeValue(forKey: tag), SyncFailure(error).isOfDelta else { return }
        var wanted = sent.wanted
        wanted.isWhole = true
        openChanges[nextNumber()] = OpenChanges(
            collection: sent.collection, acceptsReplacements: sent.acceptsReplacements, rows: [],
            maxHistory: sent.maxHistory, wanted: [wanted])
    }
}
