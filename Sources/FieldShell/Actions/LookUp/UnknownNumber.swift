/// The error about a number that no row of a list has: the same for every list.
enum UnknownNumber {
    /// - Parameters:
    ///   - list: with its preposition: `in the outbox`.
    ///   - rows: those of the list: `2, 3`, or `4 rows`; `nil` if it is empty.
    ///   - note: what else is to be said.
    /// - Returns: `There is no number '7' in the outbox; it has 2, 3.`
    static func error(
        _ typed: String, list: String, rows: String?, note: String = "", hint: String? = nil
    ) -> UsageError {
        let present = rows.map { "it has \($0)" } ?? "it is empty"
        return UsageError("There is no number '\(typed)' \(list); \(present).\(note)", hint: hint)
    }

    /// About a number of the list that was shown last.
    static func inLastList(_ typed: String, of list: LastList, note: String = "") -> UsageError {
        guard list.isWhole else {
            return UsageError(
                "The last list was read up to its row \(list.rows.grouped), and has no number '\(typed)' yet.\(note)")
        }
        return error(typed, list: "in the last list", rows: list.rows.of("row"), note: note)
    }

    /// The numbers of rows, as `rows` takes them.
    static func listed(_ numbers: [Int64]) -> String? {
        numbers.isEmpty ? nil : numbers.map { String($0) }.joined(separator: ", ")
    }
}
