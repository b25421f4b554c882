import DocumentValues
import FieldRecords

extension [QuarantinedRecord] {
    /// By its number in the quarantine, by the record's id, or by a beginning of that.
    func found(_ text: String) throws(UsageError) -> QuarantinedRecord {
        if let number = Int64(text), let record = first(where: { $0.id == number }) { return record }
        let hint = isEmpty ? nil : "The numbers: quarantine"
        switch NamedItem(text, among: self, ids: { ($0.documentID, $0.shortID) }) {
        case .one(let record) where Int64(text) == nil: return record
        case .one, .none:
            throw UnknownNumber.error(
                text, list: "in quarantine", rows: UnknownNumber.listed(map(\.id)), hint: hint)
        case .several(let count): throw UsageError("'\(text)' fits \(count) edits in quarantine.", hint: hint)
        }
    }
}
