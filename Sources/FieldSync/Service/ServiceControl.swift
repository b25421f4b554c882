/// What may be asked of a sync service from outside, on any thread.
public struct ServiceControl: Sendable {
    let feed: ServiceSources.Feed

    /// It ends, with what it exchanges just now.
    public func stop() { feed(.event(.stopAsked)) }

    /// It looks again for how to sign in, and tries again if it is offline.
    public func reload() { feed(.event(.reloadAsked)) }

    /// It reports `alive` as soon as it gets round to that.
    public func proveLife() { feed(.proveLife) }
}
