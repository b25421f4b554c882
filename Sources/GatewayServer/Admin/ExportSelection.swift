import DocumentValues

/// The documents of a collection that an export includes.
package struct ExportSelection: Sendable, Hashable {
    package enum Since: Sendable, Hashable {
        /// Changes after this sequence, including deletions.
        case sequence(UInt64)
        /// `2026-03-01`: documents whose `changedAt`, or else `createdAt`, is of this day (UTC) or later, and documents
        /// that have neither.
        case day(Name)

        /// `nil` for a text that is neither.
        package init?(_ text: String) {
            if Self.isDay(text) {
                self = .day(Name(text))
            } else if !text.isEmpty, Self.hasOnlyDigits(text.utf8), let sequence = UInt64(text) {
                self = .sequence(sequence)
            } else {
                return nil
            }
        }

        private static func isDay(_ text: String) -> Bool {
            let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ hasOnlyDigits($0) }) else { return false }
            let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            return (1...12).contains(numbers[1])
                && (1...days(ofMonth: numbers[1], in: numbers[0])).contains(numbers[2])
        }

        private static func days(ofMonth month: Int, in year: Int) -> Int {
            switch month {
            case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        private static func hasOnlyDigits(_ bytes: some Sequence<UInt8>) -> Bool {
            bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    package var since: Since?
    /// Empty for all.
    package var channels: [Name]

    package init(since: Since? = nil, channels: [Name] = []) {
        self.since = since
        self.channels = channels
    }

    /// Whether the documents are found through the changes of their collection; through its ids otherwise.
    var needsChanges: Bool { startsBehind != nil || !channels.isEmpty }

    /// The sequence after which changes are requested.
    var startsBehind: UInt64? {
        switch since {
        case .sequence(let sequence): sequence
        case .day, nil: nil
        }
    }

    func takes(_ document: JSONObject) -> Bool {
        guard case .day(let day) = since,
            let moment = document["changedAt"]?.stringValue ?? document["createdAt"]?.stringValue
        else { return true }
        return !moment.utf8.lexicographicallyPrecedes(day.text.utf8)
    }
}
