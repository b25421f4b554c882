import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormLogic

/// All forms with their current versions.
struct FormListing {
    let session: ShellSession

    func run() throws -> Listing {
        let summaries = try FormLibrary(in: session.field()).summaries()
        let rows = Portions(summaries[...], by: ShellLimits.rowsAtOnce)
        return Listing(
            kind: .form, columns: ["ID", "FORM", "VERSION", "QUESTIONS", "NOTE"],
            rows: try session.numbered(rows.map { $0.map { Self.row($0) } }), unreadable: [])
    }

    private static func row(_ summary: FormSummary) -> Listing.Row {
        let id = summary.reference.form.text
        return Listing.Row(
            reference: RecordReference(.form, id: id),
            cells: [
                RecordReference.short(id, kind: .form), summary.titleText, summary.reference.version,
                String(summary.questions), note(on: summary),
            ], object: object(of: summary))
    }

    private static func note(on summary: FormSummary) -> String {
        var notes: [String] = []
        switch summary.state {
        case .open: break
        case .closing: notes.append("no new records")
        case .closed: notes.append("closed")
        }
        if let obstacle = summary.obstacle { notes.append(obstacle) }
        let missing = summary.missing ?? []
        if !missing.isEmpty {
            let names = missing.prefix(ShellLimits.candidates).map(\.text).joined(separator: ", ")
            notes.append("not here yet: \(names)\(missing.count > ShellLimits.candidates ? ", …" : "")")
        }
        return notes.joined(separator: "; ")
    }

    private static func object(of summary: FormSummary) -> JSONObject {
        var object: JSONObject = [
            "form": .string(summary.reference.form.text), "title": summary.title.json,
            "version": .string(summary.reference.version), "state": .string(summary.state.rawValue),
            "questions": .int(summary.questions), "versions": .array(summary.versions.map { .string($0) }),
        ]
        object["missing"] = summary.missing.map { .array($0.map { .string($0.text) }) }
        object["obstacle"] = summary.obstacle.map { .string($0) }
        return object
    }
}
