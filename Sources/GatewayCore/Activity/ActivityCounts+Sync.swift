import DocumentValues
import SyncProtocol

/// The counts of the sync endpoint.
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

    func countPushed(_ ends: [(IncomingRevision, StoreOutcome)]) {
        var (pushed, refused, bytes) = (0, 0, 0)
        for (revision, outcome) in ends {
            switch outcome {
            case .stored: pushed += 1
            case .refused: refused += 1
            // The client sends it again with its attachments.
            case .needs: continue
            }
            bytes += revision.messageBytes
        }
        add { [pushed, refused, bytes] values in
            values.sync.pushed += pushed
            values.sync.refused += refused
            values.sync.receivedBytes += bytes
        }
    }

    func feedBegan(isContinuous: Bool, isFromStart: Bool) {
        add { values in
            if isFromStart { values.sync.feedsFromStart += 1 }
            values.sync[feeds: isContinuous].active += 1
            values.sync[feeds: isContinuous].total += 1
        }
    }

    func feedEnded(isContinuous: Bool) { add { $0.sync[feeds: isContinuous].active -= 1 } }

    func waiting(_ wait: () async throws -> Void) async throws {
        add { values in
            values.sync.waiting += 1
            values.sync.waits += 1
        }
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
