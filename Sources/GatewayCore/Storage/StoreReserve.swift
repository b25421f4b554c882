import SQLiteStorage
import Synchronization

/// What a database keeps of the disk for those who make room or revoke on a full one, and whether it is as much as it
/// should be: reported where it is not, and once when it is again.
final class StoreReserve: Sendable {
    private struct State {
        var isShort = false
        var report: (@Sendable (_ missing: Int) -> Void)?
    }

    private let file: DiskReserve
    private let state = Mutex(State())

    /// - Parameter path: of the database.
    init(path: String) { file = DiskReserve(path + "-reserve", size: GatewayLimits.diskReserve) }

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

    func release() { _ = file.release() }

    /// Sets aside what the disk has.
    func fill() {
        file.fillWithWhatIsThere(sparing: GatewayLimits.spareSpace)
        check()
    }

    /// Sets aside what is missing when the disk has that again.
    func complete() {
        file.complete(sparing: GatewayLimits.spareSpace)
        check()
    }

    private func check() {
        let missing = missing
        let report = state.withLock { state -> (@Sendable (Int) -> Void)? in
            guard let report = state.report, state.isShort != (missing > 0) else { return nil }
            state.isShort = missing > 0
            return report
        }
        report?(missing)
    }
}
