import SQLiteStorage
import Synchronization

/// The disk space that a database reserves for requests that make room or revoke access on a full disk. It reports when
/// the reserve gets too small, and when it is complete again.
final class StoreReserve: Sendable {
    private struct State {
        var isShort = false
        /// The bytes that the reserve had when it was lent on a full disk, until it has got them back.
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

    /// The reserve is not used any more: it ends its debt, so that other writes need not wait for it.
    func end() { shortage.note(self, isShort: false) }

    /// - Parameter report: called with the number of missing bytes, and with 0 when none are missing any more.
    func onChange(_ report: @escaping @Sendable (_ missing: Int) -> Void) {
        state.withLock { $0.report = report }
        check()
    }

    /// Bytes that it lacks.
    var missing: Int { file.missing }

    /// Gives the space to the disk, so that `body` can use it, and takes it back afterwards, even if `body` throws.
    func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
        release()
        defer { fill() }
        return try body()
    }

    /// Lends the space on a full disk: other writes have to wait until the reserve has got it back.
    func lendOnFullDisk<Result>(_ body: () throws -> Result) rethrows -> Result {
        let length = file.length
        state.withLock { $0.owed = max($0.owed ?? 0, length) }
        shortage.note(self, isShort: true)
        return try lend(body)
    }

    func release() { _ = file.release() }

    /// Takes as much of the disk's space as is free.
    func fill() {
        file.fillWithWhatIsThere(sparing: GatewayLimits.spareSpace)
        check()
    }

    /// Takes the missing space if the disk has all of it again.
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
