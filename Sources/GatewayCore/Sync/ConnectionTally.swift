import SyncProtocol

/// What one sync connection has moved, for the line that is written when it ends.
package struct ConnectionTally: Sendable, Hashable {
    /// Revisions that went to the client, those that only say that something was removed among them.
    package var sent = 0
    /// Revisions of the client that were stored.
    package var received = 0
    /// Revisions of the client that were not taken.
    package var refused = 0

    mutating func count(_ outcomes: [StoreOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .stored: received += 1
            case .refused: refused += 1
            // The client brings it again, with what it needs.
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
