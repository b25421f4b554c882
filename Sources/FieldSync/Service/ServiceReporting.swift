import FieldRecords

/// A receiver of the sync service's reports: a terminal, systemd, a window. It gets one event after the other, on the
/// service's task.
public protocol ServiceReporting {
    func report(_ event: ServiceEvent)
}

/// The reports of the sync service.
public enum ServiceEvent: Sendable, Hashable {
    /// It accepts requests from now on, or again.
    case ready
    /// It reads the sign-in again; then it is ready again.
    case reloading
    case stopping
    /// An answer to `ServiceControl.proveLife()`.
    case alive
    /// Its state has changed, or its counts have, after a while.
    case state(ServiceState, after: ServiceState)
    /// Only its counts have changed.
    case progress(ServiceState)
    /// The exchange since the last report.
    case exchanged(SyncReport)
    case remark(ServiceRemark)
    /// It has ended; no event follows.
    case ended
}

/// A remark for people that does not change the state.
public enum ServiceRemark: Sendable, Hashable {
    case newSignIn
    /// It goes on with its present sign-in.
    case unusableSignIn(why: AdvisedText)
    /// The system does not report changes of the network, so it tries again by the clock only.
    case networkUnwatched(why: AdvisedText)
    case requestsUnreadable(why: AdvisedText)
    /// Its status cannot be written, so that no other program knows of it.
    case statusUnwritten(why: AdvisedText)
    /// By how much this laptop's clock is ahead of the gateway's, negative if it is behind.
    case clock(secondsAhead: Int64)
    case failed(why: AdvisedText)
}

/// The service's events as a sequence, which ends with the service.
public struct ServiceEventStream: ServiceReporting, Sendable {
    public let events: AsyncStream<ServiceEvent>
    private let continuation: AsyncStream<ServiceEvent>.Continuation

    public init() { (events, continuation) = AsyncStream<ServiceEvent>.makeStream() }

    public func report(_ event: ServiceEvent) {
        continuation.yield(event)
        if event == .ended { continuation.finish() }
    }
}
