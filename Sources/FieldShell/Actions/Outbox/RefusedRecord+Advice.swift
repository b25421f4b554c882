import FieldModels
import FieldRecords

extension RefusedRecord {
    /// The gateway never had it, and has something else under its id.
    var isNewWithTakenID: Bool { change == .new && subject == .version }

    /// An import has made it, under an id that the gateway takes from the office only.
    var isOfRegister: Bool {
        change == .new && !RecordIDs.isMade(documentID) && subject == .office
    }

    /// Whatever is changed in it, a new assignment is not an inspector's to make.
    var isAssignedByInspector: Bool {
        kind == .assignment && change == .new && [.supervision, .review].contains(subject)
    }

    /// Whether it is no deletion.
    var hasContent: Bool {
        switch change {
        case .new, .edit: true
        case .deletion, .deletionOfNew: false
        }
    }

    /// The advice for the user.
    ///
    /// - Parameter mend: how to change the wrong values; `nil` if the user cannot.
    func advice(_ mend: String?) -> [String] {
        guard awaits != .anotherLaptop else {
            let lost =
                subject == .office
                ? "If the office has lost it, the office makes it again; it imports the rows of a register again"
                : retryAdvice
            return [
                "Nothing is needed: the next sync of that laptop settles it.", lost,
                "Go back to what the gateway has, if it has anything: outbox discard \(number)",
            ]
        }
        let rest = [retryAdvice, "Leave it here without further reports: outbox keep \(number)", discardAdvice]
        switch change {
        case .new, .edit: return (mend.map { [$0] } ?? []) + rest
        case .deletion: return rest
        case .deletionOfNew: return [discardAdvice]
        }
    }

    private var discardAdvice: String {
        switch change {
        case .new where subject == .version:
            "Give your version up; the gateway has another one: outbox discard \(number)"
        case .new: "Throw it away; nobody else has it: outbox discard \(number)"
        case .edit: "Go back to the gateway's version: outbox discard \(number)"
        case .deletion: "Bring the record back: outbox discard \(number)"
        case .deletionOfNew: "Forget it; the gateway never had it: outbox discard \(number)"
        }
    }

    private var retryAdvice: String {
        switch subject {
        case .review: "Leave it to a supervisor, and send the rest: outbox retry \(number)"
        case .creator:
            "If its creator's laptop is lost, or it was deleted, bring it back as a record of yours: outbox retry \(number)"
        case .otherChange where awaits == .anotherLaptop:
            "If that laptop is lost, send it as a change of yours: outbox retry \(number)"
        case .lastChange: "Bring it back as a record of yours: outbox retry \(number)"
        case .takeover: "Leave the record to its creator, and send the other changes: outbox retry \(number)"
        case .version where isNewWithTakenID:
            "Sync first, which puts both together. If that does not help, send yours under a new id: outbox retry \(number)"
        case .version where isTakenAway:
            "Sync first, if you have access again. Otherwise send yours as a record of yours under a new id: "
                + "outbox retry \(number)"
        case .version where hasContent:
            "Sync first, which puts both versions together. If that does not help, others may have deleted it; bring it back "
                + "as a record of yours: outbox retry \(number)"
        case .district, .move, .handOver, .approval, .otherChange, .deletion, .version, .office, .stateByOthers,
            .supervision, .other:
            "Send it again as it is: outbox retry \(number)"
        }
    }
}
