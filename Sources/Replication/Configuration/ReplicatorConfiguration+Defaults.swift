import Foundation

/// The defaults of the properties, by the names of Couchbase Lite 3.1 and later.
extension ReplicatorConfiguration {
    /// Both ways.
    public static let defaultType = ReplicatorType.pushAndPull
    /// Until everything is exchanged.
    public static let defaultContinuous = false
    /// Seconds between pings.
    public static let defaultHeartbeat: TimeInterval = ReplicationLimits.heartbeat
    /// Attempts of a replicator that is not continuous.
    public static let defaultMaxAttemptsSingleShot = ReplicationLimits.maxAttemptsOneShot
    /// A continuous replicator does not give up.
    public static let defaultMaxAttemptsContinuous = UInt.max
    /// The longest wait between attempts, in seconds.
    public static let defaultMaxAttemptsWaitTime: TimeInterval = ReplicationLimits.maxAttemptWaitTime
    /// Documents to which the user has lost access are purged.
    public static let defaultEnableAutoPurge = true
    /// Certificates of authorities are accepted.
    public static let defaultSelfSignedCertificateOnly = false
    /// Cookies for a parent domain are refused.
    public static let defaultAcceptParentDomainCookie = false
}
