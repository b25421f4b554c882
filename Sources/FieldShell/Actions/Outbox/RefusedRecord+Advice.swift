import FieldModels
import FieldRecords

extension RefusedRecord {
    /// An import has made it, under an id that the gateway takes from the office only.
    var isOfRegister: Bool {
        change == .new && !RecordIDs.isMade(documentID) && subject.meaning.writer == .office
    }

    /// Whatever is changed in it, a new assignment is not an inspector's to make.
    var isAssignedByInspector: Bool {
        kind == .assignment && change == .new && subject.meaning.writer == .supervisor
    }

    /// The advice for the user.
    ///
    /// - Parameter mend: how to change the wrong values; `nil` if the user cannot.
    func advice(_ mend: String?) -> [String] {
        guard awaits != .anotherLaptop else {
            let lost =
                subject.meaning.writer == .office
                ? "If the office has lost it, the office makes it again; it imports the rows of a register again"
                : RetryText(self).advice
            return [
                "Nothing is needed: the next sync of that laptop settles it.", lost,
                "Go back to what the gateway has, if it has anything: outbox discard \(number)",
            ]
        }
        let rest = [
            RetryText(self).advice, "Leave it here without further reports: outbox keep \(number)", discardAdvice,
        ]
        switch change {
        case .new, .edit: return (mend.map { [$0] } ?? []) + rest
        case .deletion: return rest
        case .deletionOfNew: return [discardAdvice]
        }
    }

    private var discardAdvice: String {
        switch change {
        case .new where subject.meaning.isOtherVersion:
            "Give your version up; the gateway has another one: outbox discard \(number)"
        case .new: "Throw it away; nobody else has it: outbox discard \(number)"
        case .edit: "Go back to the gateway's version: outbox discard \(number)"
        case .deletion: "Bring the record back: outbox discard \(number)"
        case .deletionOfNew: "Forget it; the gateway never had it: outbox discard \(number)"
        }
    }
}
