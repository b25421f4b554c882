import DocumentValues
import FieldRecords

/// A record cannot be changed or deleted as it is now. The line was typed right, so this is no `UsageError`.
struct RecordObstacle: UserFacingError {
    let message: String
    /// The way out.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    var description: String { hint.map { "\(message) \($0)" } ?? message }
}
