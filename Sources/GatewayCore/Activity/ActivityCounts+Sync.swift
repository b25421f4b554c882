import DocumentValues
import SyncProtocol

/// What the sync endpoint counts.
extension ActivityCounts {
    func countSent(_ revisions: [LoadedRevision], in collection: CollectionName) {
        var (sent, bytes, unavailable) = (0, 0, 0)
        for revision in revisions {
            switch revision {
            case .found, .delta, .removed: sent += 1
            case .unavailable: unavailable += 1
            }
            bytes += revision.bodyCount
        }
        add { [sent, bytes, unavailable] values in
            values.sync.sent += sent
            values.sync.sentBytes += bytes
            values.sync.unavailable += unavailable
            values.collections[collection, default: Collection()].reads += sent
            values.collections[collection, default: Collection()].readBytes += bytes
        }
    }

    func countPushed(_ outcomes: [StoreOutcome]) {
        var (pushed, refused) = (0, 0)
        for outcome in outcomes {
            switch outcome {
            case .stored: pushed += 1
            case .refused: refused += 1
            case .needs: break
            }
        }
        add { [pushed, refused] values in
            values.sync.pushed += pushed
            values.sync.refused += refused
        }
    }

    func feedBegan(isContinuous: Bool) {
        add { values in
            values.sync[feeds: isContinuous].active += 1
            values.sync[feeds: isContinuous].total += 1
        }
    }

    func feedEnded(isContinuous: Bool) { add { $0.sync[feeds: isContinuous].active -= 1 } }

    func waiting(_ wait: () async throws -> Void) async throws {
        add { $0.sync.waiting += 1 }
        defer { add { $0.sync.waiting -= 1 } }
        try await wait()
    }
}

extension SyncCounts {
    fileprivate subscript(feeds isContinuous: Bool) -> Feeds {
        get { isContinuous ? continuousFeeds : oneShotFeeds }
        set {
            if isContinuous { continuousFeeds = newValue } else { oneShotFeeds = newValue }
        }
    }
}
