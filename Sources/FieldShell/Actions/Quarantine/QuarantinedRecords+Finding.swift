import DocumentValues
import FieldRecords

extension [QuarantinedRecord] {
    /// By its number in the quarantine, by the record's id, or by a beginning of that.
    func found(_ text: String) throws(UsageError) -> QuarantinedRecord {
        if let number = Int64(text), let record = first(where: { $0.id == number }) { return record }
        let hint = "The numbers: quarantine"
        switch NamedItem(text, among: self, ids: { ($0.documentID, $0.shortID) }) {
        case .one(let record) where Int64(text) == nil: return record
        case .one, .none: throw UsageError("There is no number '\(text)' in quarantine.", hint: hint)
        case .several(let count): throw UsageError("'\(text)' fits \(count) edits in quarantine.", hint: hint)
        }
    }
}
