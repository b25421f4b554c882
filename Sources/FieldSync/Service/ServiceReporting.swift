/// Where the sync service reports to: a terminal, systemd, a window. It gets one event after the other, on the service's
/// task.
public protocol ServiceReporting {
    func report(_ event: ServiceEvent)
}

/// What the sync service reports of itself.
public enum ServiceEvent: Sendable, Hashable {
    /// It does what it is asked, from now on or again.
    case ready
    /// It looks again for how to sign in; then it is ready again.
    case reloading
    case stopping
    /// An answer to `ServiceControl.proveLife()`.
    case alive
    /// Its state is another, or its counts are, after a while.
    case state(ServiceState, after: ServiceState)
    /// Its counts alone are others.
    case progress(ServiceState)
    /// What has been exchanged since it was reported last.
    case exchanged(SyncReport)
    case remark(ServiceRemark)
    /// It is over; nothing follows.
    case ended
}

/// Something that a person should know and that changes no state.
public enum ServiceRemark: Sendable, Hashable {
    case newSignIn
    /// It goes on with the one that it has.
    case unusableSignIn(why: String)
    /// The system does not report other networks, so that it tries again by the clock alone.
    case networkUnwatched(why: String)
    case requestsUnreadable(why: String)
    /// Its status cannot be written, so that no other program knows of it.
    case statusUnwritten(why: String)
    /// By how much this laptop's clock is ahead of the gateway's, or behind where it is negative.
    case clock(secondsAhead: Int64)
    case failed(why: String)
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
