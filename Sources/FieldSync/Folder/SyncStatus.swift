import DocumentValues
import FieldRecords

/// The state of the exchange with the gateway, for a worker.
public struct SyncStatus: Sendable, Hashable {
    public enum Service: Sendable, Hashable {
        /// There has never been one.
        case none
        case running(ServiceState)
        /// It has ended on request.
        case stopped
        /// It was killed, or the computer was switched off.
        case gone
    }

    public var service = Service.none
    public var process: Int32?
    /// The beginning of this state, in seconds since 1970, as all times here.
    public var since: Int64 = 0
    /// When everything had been exchanged; `nil` if it never was with this gateway.
    public var lastExchange: Int64?
    public var now: Int64 = 0
    /// By how much this laptop's clock was ahead of the gateway's at the last sync; `nil` where they agreed.
    public var secondsAhead: Int64?

    public init() {}

    public var age: Int64 { max(0, now - since) }
    /// In seconds; less than 0 if the clock was set back since.
    public var sinceExchange: Int64? { lastExchange.map { now - $0 } }

    /// - Parameters:
    ///   - gateway: an exchange with another one does not count.
    ///   - now: in seconds since 1970.
    public init(_ folder: ServiceFolder, gateway: String?, now: Int64) throws {
        // Read before the lock is checked, so that a service that starts in between is not taken for gone.
        let notes = folder.notes()
        let isRunning = try folder.isServiceRunning()
        self.now = now
        secondsAhead = notes.secondsAhead
        lastExchange = notes.gateway.map({ Name($0) }) == gateway.map({ Name($0) }) ? notes.lastExchange : nil
        guard let reported = notes.service else {
            service = isRunning ? .running(ServiceState(.starting)) : .none
            return
        }
        process = isRunning ? reported.process : nil
        since = reported.since
        if isRunning {
            service = .running(reported.state)
        } else {
            service = reported.state.activity == .stopped ? .stopped : .gone
        }
    }
}
