import FieldRecords

/// The number of a row in the last list, as a user types it. It is never a part of an id.
struct RowNumber {
    /// `nil` for one that is larger than any list has.
    fileprivate let value: Int?

    /// `nil` for a text that is no number.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        value = Int(text)
    }
}

extension LastList {
    subscript(number: RowNumber) -> RecordReference? { number.value.flatMap { self[$0] } }
}
