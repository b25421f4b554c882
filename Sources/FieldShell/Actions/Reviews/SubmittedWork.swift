import DocumentValues
import FieldModels
import FieldRecords

/// Inspections that are submitted, also those that another user has submitted for their owner: the owner takes them
/// back, and need not ask a reviewer to return them.
struct SubmittedWork {
    let session: ShellSession

    /// The better advice for an error, whichever command or question it comes from.
    ///
    /// - Returns: `nil` if no other user has submitted an inspection of the user's.
    func wayToTakeBack(after error: RecordActionError) throws -> RecordObstacle? {
        guard let closed = error.closedInspection else { return nil }
        let field = try session.field()
        guard let inspection = try field.inspections.findReadable(closed.id),
            try field.submissions.isSubmittedByOthers(inspection, than: session.author())
        else { return nil }
        return Self.submittedByOthers(closed, part: error.kind == .inspection ? nil : error.record)
    }

    /// The same error with whose work the inspection is, where it is a colleague's: it is returned to them.
    func namingWorker(_ error: RecordActionError) throws -> RecordActionError {
        guard let closed = error.closedInspection,
            let inspection = try session.field().inspections.findReadable(closed.id),
            let name = try session.author().name, !inspection.isWork(of: name)
        else { return error }
        var error = error
        error.worker = inspection.worker
        return error
    }

    /// - Parameter part: the record of the inspection that the user wanted to change.
    static func submittedByOthers(_ inspection: RecordReference, part: RecordReference? = nil) -> RecordObstacle {
        let id = inspection.shortID
        let what =
            part.map {
                "The \($0.kind.rawValue) \($0.shortID) is part of your inspection \(id), which somebody else has submitted"
            } ?? "Somebody else has submitted this inspection of yours"
        return RecordObstacle(
            "\(what), so it can no longer be changed. See who: log \(id).",
            hint: "Take that back: edit \(id) status=draft")
    }

    /// An inspection that is handed in stays so, even if answers are missing now.
    ///
    /// - Returns: `nil` if all questions are answered.
    func staysSubmitted(_ reference: RecordReference) throws -> String? {
        let field = try session.field()
        guard reference.kind == .inspection, let inspection = try field.inspections.findReadable(reference.id),
            inspection.status == .submitted
        else { return nil }
        let open = inspection.openQuestions(try field.inspectionForms.form(of: inspection))
        guard !open.isEmpty else { return nil }
        let isOfOthers = try field.submissions.isSubmittedByOthers(inspection, than: session.author())
        let needsReviewer = try !isOfOthers && field.submissions.isHandedIn(inspection)
        let back = "Take that back: edit \(reference.shortID) status=draft"
        let way = needsReviewer ? "A reviewer can return it to you." : back
        return "It stays submitted. Still to answer: \(open.joined(separator: ", ")). \(way)".printableLine
    }
}

extension RecordActionError {
    fileprivate var record: RecordReference? { kind.map { RecordReference($0, id: id) } }

    /// The inspection that is not the inspector's to change any more.
    fileprivate var closedInspection: RecordReference? {
        switch code {
        case .closed: kind == .inspection ? record : nil
        case .partOfClosed(_, let inspection): RecordReference(.inspection, id: inspection)
        case .notFound, .exists, .partOfDeleted, .noSuchStep, .inUse, .attachment, .photoChanged, .photoMissing,
            .photoDamaged,
            .changedMeanwhile, .siteUndecided:
            nil
        }
    }
}
