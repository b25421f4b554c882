import FieldModels
import FieldRecords

extension SyncReport {
    /// A record, and what people know it by.
    public struct NamedRecord: Sendable, Hashable, Codable {
        public let reference: RecordReference
        /// `site mill, Old mill`.
        public let line: String

        public init(reference: RecordReference, line: String) {
            self.reference = reference
            self.line = line
        }
    }

    /// The records that people are to know of by name.
    public struct Records: Sendable, Hashable, Codable {
        /// Those that had been changed on both sides, with what became of them.
        public var merged: [MergedRecord] = []
        /// What others have deleted and can be brought back.
        public var deleted: [NamedRecord] = []
        /// Inspections that came back from a supervisor.
        public var returned: [ReturnedInspection] = []
        /// Approved inspections with findings that were changed since, and that this sync had to do with.
        public var changedApprovals: [NamedRecord] = []
        /// Findings that were brought to where their inspection is by now.
        public var followed: [NamedRecord] = []
        /// Assignments that the user has begun, and that are assigned to another user by now.
        @LaterMember public var handedOver: [NamedRecord] = []
        /// Assignments with several inspections, one of which the person still has to do.
        @LaterMember public var repeated: [NamedRecord] = []
        /// The person's own records that others have changed or handed in.
        @LaterMember public var changedByOthers: [NamedRecord] = []

        public init() {}

        mutating func add(_ later: Records) {
            merged += later.merged
            deleted += later.deleted
            returned += later.returned
            changedApprovals = Self.joined(changedApprovals, with: later.changedApprovals)
            followed += later.followed
            handedOver += later.handedOver
            repeated = Self.joined(repeated, with: later.repeated)
            changedByOthers = Self.joined(changedByOthers, with: later.changedByOthers)
        }

        /// A record that is in both lists gets its later name.
        private static func joined(_ earlier: [NamedRecord], with later: [NamedRecord]) -> [NamedRecord] {
            let named = Set(later.map(\.reference))
            return earlier.filter { !named.contains($0.reference) } + later
        }
    }
}
