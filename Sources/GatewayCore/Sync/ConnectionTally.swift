import SyncProtocol

/// The counts of one sync connection, for the line that is logged at its end.
package struct ConnectionTally: Sendable, Hashable {
    /// Revisions that were sent to the client, including those that only report a removal.
    package var sent = 0
    /// Revisions of the client that were stored.
    package var received = 0
    /// Revisions of the client that were refused.
    package var refused = 0

    mutating func count(_ outcomes: [StoreOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .stored: received += 1
            case .refused: refused += 1
            // The client sends it again, with the missing parts.
            case .needs: break
            }
        }
    }

    mutating func count(_ loaded: [LoadedRevision]) {
        for revision in loaded {
            switch revision {
            case .found, .delta, .removed: sent += 1
            case .unavailable: break
            }
        }
    }
}
