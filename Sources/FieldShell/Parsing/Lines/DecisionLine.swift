import DocumentValues
import FieldModels
import FieldRecords

/// The decision about waiting records: in the outbox, in the quarantine, in conflict.
struct DecisionLine {
    let line: ParsedLine

    func outbox() throws(UsageError) -> OutboxAction {
        guard let text = line.arguments.first else { return .list }
        let action: OutboxVerb = try line.action(text)
        if action == .list { return .list }
        guard let record = line.arguments.dropFirst().first else {
            throw UsageError("Say which: outbox \(action.rawValue) NUMBER.", hint: "The numbers: outbox")
        }
        guard line.arguments.count < 3 || (action == .retry && record == "of") else {
            throw UsageError("'outbox \(action.rawValue)' takes one record.", hint: "The numbers: outbox")
        }
        switch action {
        case .list: return .list
        case .show: return .show(record)
        case .retry where record == "of":
            guard line.arguments.count > 2 else {
                throw UsageError(
                    "Say whose laptop is lost: outbox retry of NAME.", hint: "See whose laptops are missing: outbox")
            }
            return .retryOf(user: line.arguments[2])
        case .retry: return .retry(record == "all" ? nil : record)
        case .keep: return .keep(record == "all" ? nil : record)
        case .discard: return .discard(record == "all" ? nil : record)
        }
    }

    func quarantine() throws(UsageError) -> QuarantineAction {
        guard let text = line.arguments.first else { return .list }
        let action: QuarantineVerb = try line.action(text)
        if action == .list { return .list }
        guard let record = line.arguments.dropFirst().first else {
            throw UsageError("Say which: quarantine \(action.rawValue) NUMBER.", hint: "The numbers: quarantine")
        }
        // The edits of each are nowhere else.
        guard !record.isExactly("all") else {
            throw UsageError("'quarantine \(action.rawValue)' takes one record.", hint: "The numbers: quarantine")
        }
        switch action {
        case .list: return .list
        case .show: return .show(record)
        case .restore: return .restore(record)
        case .discard: return .discard(record)
        }
    }

    func conflicts() throws(UsageError) -> ConflictAction {
        guard let text = line.arguments.first else { return .list }
        let action: ConflictVerb = try line.action(text)
        if action == .list { return .list }
        guard line.arguments.count > 1 else {
            throw UsageError(
                "Say which: conflicts \(action.rawValue) NUMBER.",
                hint: "The numbers, or the ids outside the shell: conflicts")
        }
        if action == .show { return .show(line.argument(1)) }
        let choices = line.arguments.dropFirst(2)
        if line.argument(1) == "all" {
            // Values are decided one record at a time, by a user who has looked at them.
            guard choices.count == 1, choices.first.flatMap({ DeletionVerb(typed: $0) }) == .keep else {
                throw UsageError(
                    "All records at once can only be kept.", hint: "Use: conflicts take all keep")
            }
            return .keepAll
        }
        let sides = choices.filter { FieldValue(parsing: $0) == nil }
        guard sides.count <= 1 else {
            // A deleted record and its values are decided one after the other.
            if sides.prefix(2).contains(where: { ["keep", "delete"].containsExactly($0.lowercased()) }) {
                throw UsageError(
                    "One decision at a time.", hint: "First: conflicts take 1 keep. Then: conflicts take 1 mine")
            }
            throw UsageError("'\(sides[1])' is no FIELD=VALUE.", hint: "Use: conflicts take 1 mine score=80")
        }
        return .take(line.argument(1), side: sides.first, values: choices.compactMap { FieldValue(parsing: $0) })
    }
}
