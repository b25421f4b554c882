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
    func wishes(_ wanted: [OpenChanges.Wanted]) -> [RevisionWish] {
        // Whatever else is being loaded may become a difference, too.
        let others = openChanges.values.reduce(-wanted.count) { $0 + $1.loading.count }
        var room = usesDeltas && clientTakesDeltas ? PassiveLimits.openDeltas - openDeltas.count - others : 0
        return wanted.map { wanted in
            var wish = RevisionWish(documentID: wanted.row.documentID, revision: wanted.row.revision)
            guard room > 0, !wanted.isWhole, let source = wanted.ancestors.first.flatMap({ RevisionID($0) }) else {
                return wish
            }
            room -= 1
            wish.deltaSource = source
            return wish
        }
    }

    /// A client that could do nothing with a difference gets the whole. It is read anew, since keeping it for the few
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
