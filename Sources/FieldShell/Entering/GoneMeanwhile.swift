import DocumentValues
import FieldModels
import FieldRecords

/// A sync has taken a record away, or has closed the inspection that a new one is for, while the user answered questions
/// about it.
struct GoneMeanwhile: UserFacingError {
    let description: String

    /// - Parameter isNew: the record was not saved yet.
    /// - Returns: `nil` where the record is there: the error says why it cannot be changed.
    init?(_ error: RecordActionError, isNew: Bool, session: ShellSession) throws {
        let gone: RecordReference
        switch error.code {
        case .partOfDeleted(let inspection): gone = RecordReference(.inspection, id: inspection)
        case .notFound:
            guard let kind = error.kind else { return nil }
            gone = RecordReference(kind, id: error.id)
        case .partOfClosed(let status, let inspection) where isNew:
            let id = RecordReference.short(inspection, kind: .inspection)
            description =
                "The inspection \(id) is \(status) by now, so nothing can be added to it. Copy what you typed from here, and "
                + "enter it again when a supervisor has returned the inspection."
            return
        case .exists, .closed, .partOfClosed, .noSuchStep, .inUse, .attachment, .photoChanged, .photoMissing,
            .photoDamaged,
            .changedMeanwhile, .siteUndecided:
            return nil
        }
        let name = "The \(gone.kind.rawValue) \(gone.shortID)"
        let isOwn = gone.kind == error.kind && gone.id.isExactly(error.id)
        let what = isOwn ? "" : isNew ? ", so there is nothing to add it to" : ", with everything that belongs to it"
        guard try session.field().deletions.all().contains(where: { $0.reference == gone }) else {
            description = "\(name) is not on this laptop any more\(what). If you had changed it before: quarantine"
            return
        }
        description =
            "\(name) was deleted in the meantime\(what). Bring it back, and answer again: undo \(gone.shortID)"
    }
}
