import DocumentValues
import FieldRecords

/// There is no such record; nothing was done.
struct NotFoundError: UserFacingError {
    let text: String
    let kinds: String
    let hint: String

    var description: String { "No \(kinds) has the id '\(text)'. \(hint)" }
}
