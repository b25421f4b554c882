import DocumentValues
import FieldModels
import FieldRecords

/// What a person calls a form.
struct FormNaming {
    let session: ShellSession

    /// - Parameter text: a name or its beginning; in a shell also the number of a row that is a form's.
    func name(_ text: String) throws -> String {
        guard session.isShell, RowNumber(text) != nil else { return text }
        return try RecordFinder(session: session).find(text, among: [.form]).id
    }
}
