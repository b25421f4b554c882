import DocumentValues
import FieldModels
import FieldRecords

/// Records of one kind, which are read as they are shown.
public struct Listing: Sendable {
    public struct Row: Sendable, Hashable {
        public let reference: RecordReference
        public let cells: [String]
        /// For a program; `nil` for the record itself, which is read if a renderer needs it.
        public let object: JSONObject?
        /// To refer to it in the shell; `nil` elsewhere.
        var number: Int?
        /// Whether a person has to decide about it.
        var isContested = false
    }

    public let kind: RecordKind
    public let columns: [String]
    var rows: Portions<Row>
    /// Documents of the collection that are no such records.
    public var unreadable: [RecordError]
}
