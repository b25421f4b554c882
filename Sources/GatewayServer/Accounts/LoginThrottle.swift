import DocumentValues

/// Slows down guessing of passwords: after a few wrong ones, each further one costs twice the wait of the one before.
///
/// Counted for a name from one address, so that no one can lock a user out from another address. Each device on which the
/// user has signed in before is counted by itself, so that no one can from the same address either. A value without a
/// clock.
struct LoginThrottle: Sendable {
    /// Whose attempts are counted together.
    struct Key: Sendable, Hashable {
        /// `nil` for administrators.
        let database: String?
        let name: Name
        let address: String
        /// Of a `DeviceMark`.
        let device: String?

        /// - Parameter name: is cut at the longest name of a principal, since an attacker's may be as long as a header.
        init(database: String?, name: Name, address: String, device: String? = nil) {
            self.database = database
            self.device = device
            self.name = Name(name.text.shortened(toBytes: LoginLimits.name))
            self.address = address
        }

        /// The address does not matter for a device, which may be used anywhere.
        static func == (left: Self, right: Self) -> Bool {
            left.isOfTheSamePerson(as: right) && left.device == right.device
                && (left.device != nil || left.address == right.address)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(database.map { Name($0) })
            hasher.combine(name)
            hasher.combine(device ?? address)
        }

        func isOfTheSamePerson(as other: Key) -> Bool {
            database.map { Name($0) } == other.database.map { Name($0) } && name == other.name
        }
    }

    private struct Entry: Sendable {
        var failures = 0
        var last: Duration
        /// No attempt is checked before this time.
        var opens: Duration
    }

    private var entries: [Key: Entry] = [:]
    private let remembered: Int

    /// - Parameter remembered: how many names and addresses are counted at the same time.
    init(remembered: Int = LoginLimits.remembered) { self.remembered = remembered }

    /// How long the next attempt has to wait; `nil` if it need not.
    ///
    /// - Parameter now: the time since any fixed moment.
    func wait(_ key: Key, now: Duration) -> Duration? {
        guard let entry = entries[key], entry.opens > now else { return nil }
        return entry.opens - now
    }

    mutating func failed(_ key: Key, now: Duration) {
        if entries[key] == nil, entries.count >= remembered { forget(now: now) }
        var entry = entries[key] ?? Entry(last: now, opens: now)
        if now - entry.last > LoginLimits.memory { entry.failures = 0 }
        entry.failures += 1
        entry.last = now
        entry.opens = now + Self.pause(after: entry.failures)
        entries[key] = entry
    }

    mutating func succeeded(_ key: Key) { entries[key] = nil }

    /// From all addresses: wrong guesses for a former password do not count for a new one.
    mutating func forgive(_ name: Name, of database: String?) {
        let wanted = Key(database: database, name: name, address: "")
        for key in entries.keys.filter({ $0.isOfTheSamePerson(as: wanted) }) { entries[key] = nil }
    }

    private static func pause(after failures: Int) -> Duration {
        let surplus = failures - LoginLimits.freeFailures
        guard surplus >= 0 else { return .zero }
        // Beyond a few doublings the longest pause is reached, and the shift would overflow.
        return min(LoginLimits.firstPause * (1 << min(surplus, 20)), LoginLimits.longestPause)
    }

    /// Makes room: removes old entries first, then those with the shortest wait, so that a flood of names cannot free a
    /// name that is being guessed.
    private mutating func forget(now: Duration) {
        entries = entries.filter { now - $0.value.last <= LoginLimits.memory }
        guard entries.count >= remembered else { return }
        let kept = entries.sorted { $0.value.opens > $1.value.opens }.prefix(remembered / 2)
        entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
