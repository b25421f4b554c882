import DocumentValues
import FieldModels

/// The states of inspections and assignments, and what belongs to them; see `StatusChoice`.
extension RecordMerger {
    mutating func mergeStatus(_ field: MergedField) -> JSONValue? {
        if ValueOrder.isSame(field.a, and: field.b) { return field.a }
        switch choices.status {
        case .settled(let side)?:
            askStill(field, keeping: side)
            return field[side]
        case .contested(let side)?: return contest(field, winner: side)
        case nil: return settle(field)
        }
    }

    /// The moment belongs to the state.
    func mergeSubmission(_ field: MergedField) -> JSONValue? {
        guard let side = choices.status?.winner else { return field.quietly }
        return field[side] ?? field[side.other]
    }

    /// The approved content belongs to the approval: if another state is kept, there is none.
    func mergeApproval(_ field: MergedField) -> JSONValue? {
        guard let side = choices.status?.winner else { return field.quietly }
        return field[side]
    }

    /// A person who decided that an assignment is done, and not dropped, has not decided about its content in case it is
    /// open again.
    private mutating func askStill(_ field: MergedField, keeping side: MergeSide.Letter) {
        guard versions.kind == .assignment, versions.hasDecided(field.path, side: side.other),
            !versions.hasDecided(field.path, side: side),
            field[side.other] == .string(Assignment.Status.done.rawValue)
        else { return }
        for value in versions[side].contested.fields[field.path] ?? [] { contested.insert(value) }
    }
}
