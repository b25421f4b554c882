import FieldModels
import FieldRecords

/// A record that had been changed on both sides of a sync.
public struct MergedRecord: Sendable, Hashable, Codable {
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// Both sides' changes are in it.
        case united
        /// Some of its fields have several values, for a person to decide.
        case contested
        /// Somebody else, whose the assignment is by now, has done it, too: their version stays.
        case doneByOthers
        /// It was deleted on both sides.
        case deleted
    }

    public let reference: RecordReference
    /// `Old mill, 2026-03-04 routine`.
    public let title: String
    public let outcome: Outcome
    /// The fields to decide, or that it was deleted.
    public let subjects: String
    /// A line for each contested field: the values, and whose they are.
    public let lines: [String]
}

/// An inspection that a supervisor sent back.
public struct ReturnedInspection: Sendable, Hashable, Codable {
    public let reference: RecordReference
    /// `Old mill, 2026-03-04 routine`.
    public let title: String
    /// The reason, as the supervisor typed it.
    public let review: String?
}
