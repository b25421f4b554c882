import DocumentValues
import Foundation
import Synchronization

/// A failure of a database's storage, as its operator sees it: nothing of the data, and no path.
package struct StorageFault: Sendable, Hashable {
    /// `full_disk`, `damaged`, `inaccessible`, `io_error`, `interrupted` or `other`.
    package let kind: String
    /// Seconds since 1970.
    package let time: Int64

    /// `{"kind":"io_error","time":"2027-01-31T12:00:00Z"}`
    package var json: JSONObject { ["kind": .string(kind), "time": .string(ConfigurationTimes.text(time))] }
}

/// The failures of a database's storage since the database was opened: the last one, and how many of each kind.
package final class StorageFaults: Sendable {
    private struct State {
        var last: StorageFault?
        var counts: [StorageFailure.Kind: Int] = [:]
        /// When one of the kind was last reported, in seconds since 1970.
        var reported: [StorageFailure.Kind: Int64] = [:]
        var report: @Sendable (_ detail: String) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// - Parameter report: called with the engine's message, once a minute for each kind. A full disk and damage have reports
    ///   of their own (`DiskSpace`, `StoreDamage`).
    func onFault(_ report: @escaping @Sendable (_ detail: String) -> Void) { state.withLock { $0.report = report } }

    package var last: StorageFault? { state.withLock { $0.last } }

    /// Of all kinds, also those that have not occurred.
    package var counts: [(kind: String, count: Int)] {
        let counts = state.withLock { $0.counts }
        return StorageFailure.Kind.allCases.map { (kind: $0.rawValue, count: counts[$0] ?? 0) }
    }

    /// A read or a write failed; other errors than the storage's do not count. A statement that was stopped because its client
    /// has left is no failure.
    func note(_ failure: any Error, at time: Int64 = Int64(Date().timeIntervalSince1970)) {
        guard let kind = StorageFailure.Kind(of: failure), kind != .interrupted || !Task.isCancelled else { return }
        let report = state.withLock { state -> (@Sendable (String) -> Void)? in
            state.last = StorageFault(kind: kind.rawValue, time: time)
            state.counts[kind, default: 0] += 1
            let isRepeated = state.reported[kind].map { time - $0 < GatewayLimits.faultReports } ?? false
            guard kind != .fullDisk, kind != .damaged, !isRepeated else { return nil }
            state.reported[kind] = time
            return state.report
        }
        report?(StorageFailure.detail(of: failure) ?? kind.rawValue)
    }
}

extension StorageFailure.Kind {
    /// `nil` for errors that are not the storage's.
    fileprivate init?(of error: any Error) {
        switch error {
        case let error as GatewayError where error == .diskFull: self = .fullDisk
        case let error as GatewayError where error.isOfDamagedRow: self = .damaged
        case is DamagedPrincipal: self = .damaged
        default:
            guard let failure = StorageFailure(error) else { return nil }
            self = failure.kind
        }
    }
}
