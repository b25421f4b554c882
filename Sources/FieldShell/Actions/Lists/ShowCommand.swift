import DocumentStore
import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// All that is known of one record.
struct ShowCommand {
    let session: ShellSession
    var language: String?

    func run(_ text: String) throws -> Detail {
        let reference: RecordReference
        do {
            reference = try RecordFinder(session: session).find(text, among: RecordKind.allCases)
        } catch  where error is NotFoundError || RowNumber(text) != nil {
            guard let deleted = try DeletedFinder(session: session).find(text) else { throw error }
            return try DeletedCommands(session: session).show(deleted)
        }
        do {
            return try show(reference)
        } catch let error as RecordError {
            throw UnreadableRecord(error)
        }
    }

    /// From now on, the person knows the record as it is shown.
    private func show(_ reference: RecordReference) throws -> Detail {
        let field = try session.field()
        session.shown.records[reference] = try RecordSnapshot(of: reference, in: field)
        if reference.kind == .inspection || reference.kind == .finding {
            session.shown.photos[reference] = try field.photos.all(of: reference.kind, reference.id)
        }
        let setting = try session.formSetting(language: language)
        var detail = try DetailBuilder(field, clock: session.environment.clock, setting: setting).detail(of: reference)
        if let conflict = try field.conflicts.conflict(of: reference.kind, reference.id) {
            session.keepPhotoNumbers(of: conflict, counting: true)
            session.shown.conflicts[reference] = conflict.fields
            detail.sections += try ConflictText.showSections(of: conflict, session: session)
        }
        if reference.kind == .inspection { detail.sections += try toDecideInFindings(of: reference.id) }
        return detail
    }

    /// A reviewer would read one of two texts otherwise.
    private func toDecideInFindings(of inspection: String) throws -> [Detail.Section] {
        let open = try OpenConflicts(session: session).all().filter { conflict in
            conflict.kind == .finding && conflict.object["inspection"]?.stringValue?.isExactly(inspection) == true
        }
        let lines = try open.map { conflict in
            let short = RecordReference.short(conflict.id, kind: .finding)
            let subjects = try ConflictText(conflict, session: session, readsLog: false).subjects
            return "\(short): \(subjects). See it: conflicts show \(short)"
        }
        return lines.isEmpty ? [] : [Detail.Section(title: "To decide in its findings", lines: lines)]
    }
}
