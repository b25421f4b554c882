import SQLiteStorage
import Synchronization

/// What a database keeps of the disk for those who make room or revoke on a full one, and whether it is as much as it
/// should be: reported where it is not, and once when it is again.
final class StoreReserve: Sendable {
    private struct State {
        var isShort = false
        /// Bytes that it had when it was lent on a full disk, where it has not got them back.
        var owed: Int?
        var report: (@Sendable (_ missing: Int) -> Void)?
    }

    private let file: DiskReserve
    private let shortage: DiskShortage
    private let state = Mutex(State())

    /// - Parameter path: of the database.
    init(path: String, shortage: DiskShortage = DiskShortage()) {
        self.shortage = shortage
        file = DiskReserve(path + "-reserve", size: GatewayLimits.diskReserve)
    }

    deinit { end() }

    /// Nobody uses it any more: it takes back nothing, and keeps nobody from anything.
    func end() { shortage.note(self, isShort: false) }

    /// - Parameter report: called with the bytes that are missing, and with 0 when none are any more.
    func onChange(_ report: @escaping @Sendable (_ missing: Int) -> Void) {
        state.withLock { $0.report = report }
        check()
    }

    /// Bytes that it lacks.
    var missing: Int { file.missing }

    /// Gives the space to the disk for `body`, which may have it, and sets it aside again, whatever comes of that.
    func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
        release()
        defer { fill() }
        return try body()
    }

    /// The same where the disk is full: nobody else writes anything meanwhile, nor before it has got back what was lent.
    func lendOnFullDisk<Result>(_ body: () throws -> Result) rethrows -> Result {
        let length = file.length
        state.withLock { $0.owed = max($0.owed ?? 0, length) }
        shortage.note(self, isShort: true)
        return try lend(body)
    }

    func release() { _ = file.release() }

    /// Sets aside what the disk has.
    func fill() {
        file.fillWithWhatIsThere(sparing: GatewayLimits.spareSpace)
        check()
    }

    /// Sets aside what is missing when the disk has that again.
    func complete() {
        file.complete(sparing: GatewayLimits.spareSpace)
        if let owed = state.withLock({ $0.owed }) { file.complete(sparing: GatewayLimits.spareSpace, upTo: owed) }
        check()
    }

    private func check() {
        let (missing, length) = (missing, file.length)
        let isRepaid = state.withLock { state in
            guard let owed = state.owed, length >= owed else { return false }
            state.owed = nil
            return true
        }
        if isRepaid { shortage.note(self, isShort: false) }
        let report = state.withLock { state -> (@Sendable (Int) -> Void)? in
            guard let report = state.report, state.isShort != (missing > 0) else { return nil }
            state.isShort = missing > 0
            return report
        }
        report?(missing)
    }
}
