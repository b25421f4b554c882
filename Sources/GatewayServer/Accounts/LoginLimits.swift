/// The limits of attempts to sign in.
enum LoginLimits {
    /// Wrong passwords of one name from one address until the next has to wait: a few typing errors have no
    /// consequence.
    static let freeFailures = 5
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(300)
    /// The time without a wrong one after which the count begins again.
    static let memory = Duration.seconds(3_600)
    /// Seconds for which a client that signed in has its own count of wrong passwords: a year.
    static let deviceMemory: Int64 = 365 * 24 * 3_600
    /// Bytes of a name by which attempts are counted, and which the audit log shows.
    static let name = 256
    /// Refused sign-ins from one address that are written into the log within a minute: typing errors of a team behind
    /// one address are visible, but an attacker cannot fill the disk.
    static let refusalsLogged = 20
    /// Names and addresses that are counted at the same time, at 200 to 500 bytes each.
    static let remembered = 20_000
}
