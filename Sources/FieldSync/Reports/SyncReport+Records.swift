import FieldModels
import FieldRecords

extension SyncReport {
    /// A record, with the name by which people know it.
    public struct NamedRecord: Sendable, Hashable, Codable {
        public let reference: RecordReference
        /// Such as `site mill, Old mill`.
        public let line: String

        public init(reference: RecordReference, line: String) {
            self.reference = reference
            self.line = line
        }
    }

    /// The records that a report lists by name.
    public struct Records: Sendable, Hashable, Codable {
        /// Records that were changed on both sides, with the outcome of the merge.
        public var merged: [MergedRecord] = []
        /// Records that others have deleted and that can be restored.
        public var deleted: [NamedRecord] = []
        /// Inspections that a supervisor has returned.
        public var returned: [ReturnedInspection] = []
        /// Approved inspections that have changed since the approval, if this sync concerned them or their findings.
        public var changedApprovals: [NamedRecord] = []
        /// Findings that were moved after their inspection.
        public var followed: [NamedRecord] = []
        /// Assignments that the user has begun, and that are assigned to another user by now.
        @LaterMember public var handedOver: [NamedRecord] = []
        /// Assignments with several inspections, one of which the user still has to complete.
        @LaterMember public var repeated: [NamedRecord] = []
        /// The user's own records that others have changed or handed in.
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
