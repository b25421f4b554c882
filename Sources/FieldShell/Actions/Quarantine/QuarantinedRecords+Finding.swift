import DocumentValues
import FieldRecords

extension [QuarantinedRecord] {
    /// By its number in the quarantine, by the record's id, or by a beginning of that.
    func found(_ text: String) throws(UsageError) -> QuarantinedRecord {
        if let number = Int64(text), let record = first(where: { $0.id == number }) { return record }
        let whole = filter { $0.documentID.isExactly(text) || $0.shortID.isExactly(text) }
        let found = whole.isEmpty && !text.isEmpty ? filter { RecordFinder.abbreviates(text, id: $0.shortID) } : whole
        if found.count == 1, Int64(text) == nil { return found[0] }
        let what = found.count > 1 ? "'\(text)' fits \(found.count) edits" : "There is no number '\(text)'"
        throw UsageError("\(what) in quarantine.", hint: "The numbers: quarantine")
    }
}
