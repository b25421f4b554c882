import DocumentValues
import FieldModels
import FieldRecords

/// A line of the list of conflicts.
public struct ConflictRow: Sendable, Hashable {
    public let number: Int
    public let reference: RecordReference
    let title: String
    let subjects: String
    /// The kinds of decisions that it needs.
    let decisions: Set<Decision>
    public let object: JSONObject

    enum Decision {
        /// Which value counts: `mine`, `theirs`.
        case values
        /// Whether the record goes: `keep`, `delete`.
        case deletion

        static func all(in conflict: RecordConflict) -> Set<Decision> {
            Set((conflict.fields.isEmpty ? [] : [.values]) + (conflict.deletion == nil ? [] : [.deletion]))
        }
    }
}
