import DocumentValues
import FieldModels

extension Inspection {
    /// Who approved or returned it, and when, as far as the record notes it; `nil` in other states.
    ///
    /// An inspector never does that to their own work: where a program that notes nothing has done it, the note is still that
    /// of the inspector who handed it in.
    public var reviewed: VersionStamp? {
        switch status {
        case .draft, .submitted: return nil
        case .returned, .approved: break
        }
        guard let stamp = FieldChanges(of: envelope.rest).last(of: [FieldPath("status")]), let reviewer = stamp.by,
            !isWork(of: reviewer)
        else { return nil }
        return stamp
    }
}
