import DocumentValues
import FieldModels

/// The change that was taken back.
public struct UndoneChange: Sendable, Hashable {
    public enum Outcome: String, Sendable, Hashable {
        /// It was new; nothing is left of it.
        case removed
        /// It is as it was before.
        case restored
        /// It is as it was before, by an edit that waits to be sent: a gateway had the change already.
        case restoredByEdit
        /// It was deleted, and is there again; it was returned before, and is a draft now.
        case broughtBackAsDraft
        /// It was deleted, and is there again; it was approved before, and is submitted now.
        case broughtBackAsSubmitted
        /// It was deleted, and is there again.
        case broughtBack
    }

    public struct Record: Sendable, Hashable {
        public let kind: RecordKind
        @Exact public private(set) var id: String
        public let outcome: Outcome
        /// The changes of its fields, a line each, if it was restored.
        public private(set) var changes: [String] = []
    }

    public let title: String
    public let moment: Timestamp
    public let records: [Record]
}
