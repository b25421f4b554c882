import FieldModels
import FieldRecords

/// Takes back the deletion of one record, the changes by others in it, or the last change of this laptop.
struct NamedUndoCommand {
    let session: ShellSession

    func run(_ text: String) throws -> Done {
        if let deleted = try DeletedFinder(session: session).find(text) {
            return try DeletedCommands(session: session).bringBack(deleted)
        }
        let others = ChangedByOthersCommands(session: session)
        if let changes = try others.find(text) { return try others.setBack(changes) }
        try checkIsInList(text)
        let reference: RecordReference
        do {
            reference = try RecordFinder(session: session).find(text, among: RecordKind.allCases)
        } catch is NotFoundError {
            throw UsageError(
                "'\(text)' is no record, and no deleted one.",
                hint: "See the deleted ones: list --deleted. To take back your own last change: undo")
        }
        return try UndoCommand(session: session, record: reference).run()
    }

    /// A number that no row has is a slip, and says nothing of the record that was meant.
    private func checkIsInList(_ text: String) throws(UsageError) {
        let list = session.shown.list
        guard let number = RowNumber(text), list.rows > 0, list[number] == nil else { return }
        throw UnknownNumber.inLastList(text, of: list)
    }
}
