import FieldModels

extension SyncReport {
    /// How many records of each kind.
    public struct Counts: Sendable, Hashable, Codable {
        public var pushed: [RecordKind: Int] = [:]
        public var pulled: [RecordKind: Int] = [:]
        /// Taken from this laptop, since access to them was lost.
        public var purged: [RecordKind: Int] = [:]
        /// Deletions; `pushed` and `pulled` do not count them.
        public var pushedDeletions: [RecordKind: Int] = [:]
        public var pulledDeletions: [RecordKind: Int] = [:]
        /// Of the records that came, those about which something is to be decided since others have changed them at once.
        public var undecided: [RecordKind: Int] = [:]

        public init() {}

        /// Whether nothing went over the wire, or was taken.
        var isEmpty: Bool { [pushed, pulled, purged, pushedDeletions, pulledDeletions].allSatisfy(\.isEmpty) }

        mutating func add(_ later: Counts) {
            pushed.merge(later.pushed, uniquingKeysWith: +)
            pulled.merge(later.pulled, uniquingKeysWith: +)
            purged.merge(later.purged, uniquingKeysWith: +)
            pushedDeletions.merge(later.pushedDeletions, uniquingKeysWith: +)
            pulledDeletions.merge(later.pulledDeletions, uniquingKeysWith: +)
            undecided.merge(later.undecided, uniquingKeysWith: +)
        }
    }
}
