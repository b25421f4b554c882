import Testing

@testable import FieldSync
@testable import Replication

/// What a replicator's states come to for a sync that is to end by itself.
@Suite struct SyncLogTests {
    private final class Shown {
        var all: [SyncProgress] = []
    }

    private static let away = ReplicationError(domain: ReplicationError.posixDomain, code: 111, message: "away")

    private func status(_ activity: Replicator.ActivityLevel, _ completed: UInt64 = 0, error: (any Error)? = nil)
        -> Replicator.Status
    {
        Replicator.Status(
            activity: activity, progress: Replicator.Progress(completed: completed, total: completed), error: error)
    }

    @Test func progressIsShownWithoutWaiting() {
        let shown = Shown()
        var log = SyncLog { shown.all.append($0) }
        for status in [status(.connecting), status(.busy), status(.busy, 3), status(.idle, 3)] { log.note(status) }
        #expect(shown.all == [.exchanged(records: 3), .idle])
        #expect(log.wasEverConnected && log.failure == nil && !log.hasTriedEnough)
    }

    /// Only until somebody has answered.
    @Test func silenceIsShown() {
        let shown = Shown()
        var log = SyncLog { shown.all.append($0) }
        log.note(status(.connecting))
        log.noteDelay()
        log.note(status(.busy))
        log.noteDelay()
        #expect(shown.all == [.trying])
    }

    /// A gateway that lets one in and then answers that it cannot go on would be tried for ever.
    @Test func threeTriesAreEnough() {
        var log = SyncLog { _ in }
        for tries in 1...3 {
            log.note(status(.busy))
            log.note(status(.offline, error: Self.away))
            #expect(log.hasTriedEnough == (tries == 3))
        }
        log.note(status(.stopped))
        #expect(log.failure != nil, "why it was offline is why it ended")
    }

    @Test func whatWasMendedIsNoFailure() {
        var log = SyncLog { _ in }
        log.note(status(.offline, error: Self.away))
        #expect(log.failure != nil && !log.wasEverConnected)
        log.note(status(.idle))
        log.note(status(.stopped))
        #expect(log.failure == nil)
        log.note(status(.stopped, error: Self.away))
        #expect(log.failure != nil)
    }
}
