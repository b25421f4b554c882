import DocumentValues
import FieldModels

/// Which record a change is about.
struct JournalSubject: Sendable, Hashable {
    let kind: RecordKind
    @Exact private(set) var id: String

    init(kind: RecordKind, id: String) {
        self.kind = kind
        self.id = id
    }
}
