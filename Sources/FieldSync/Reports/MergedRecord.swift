import FieldModels
import FieldRecords

/// A record that had been changed on both sides of a sync.
public struct MergedRecord: Sendable, Hashable, Codable {
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// It has the changes of both sides.
        case united
        /// Some of its fields have several values, for a person to decide.
        case contested
        /// The assignment belongs to another user by now, who has done it, too: that version stays.
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
    /// A line for each contested field: the values, and their authors.
    public let lines: [String]
}

/// An inspection that a supervisor sent back.
public struct ReturnedInspection: Sendable, Hashable, Codable {
    public let reference: RecordReference
    /// `Old mill, 2026-03-04 routine`.
    public let title: String
    /// The supervisor's reason, unchanged.
    public let review: String?
}
