/// Requests to a sync service from outside, on any thread.
public struct ServiceControl: Sendable {
    let feed: ServiceSources.Feed

    /// Ends the service, and its present exchange.
    public func stop() { feed(.event(.stopAsked)) }

    /// Makes it read the sign-in again, and try again if it is offline.
    public func reload() { feed(.event(.reloadAsked)) }

    /// Makes it report `alive` as soon as it handles this request.
    public func proveLife() { feed(.proveLife) }
}
