extension Sequence {
    /// Numbers within texts by their values: `Stand 2` before `Stand 10`; accents and case do not matter, but for texts that
    /// are the same otherwise.
    ///
    /// The sort keys are made once for each element, and only of the first letters: a name may be as long as a record.
    ///
    /// - Parameter texts: the texts by which an element is sorted; the second one decides if the first ones are the
    ///   same.
    public func sortedNaturally(by texts: (Element) -> [String]) -> [Element] {
        map { (element: $0, keys: texts($0).map(SortKey.init)) }
            .sorted { $0.keys.lexicographicallyPrecedes($1.keys) }
            .map(\.element)
    }
}

private struct SortKey: Comparable {
    private let natural: NaturalKey
    private let bytes: [UInt8]

    init(_ text: String) {
        let beginning = String(text.unicodeScalars.prefix(FieldRecordsLimits.sortedText))
        natural = NaturalKey(beginning.searchable)
        bytes = Array(beginning.utf8)
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        left.natural == right.natural ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.natural < right.natural
    }
}

/// A text as texts and numbers in turn.
private struct NaturalKey: Comparable {
    private enum Part: Equatable {
        /// Digits without zeros in front; fewer of them are less.
        case number(Int, [UInt8])
        case text([UInt8])
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var run: [UInt8] = []
        var isNumber = false
        for byte in text.utf8 {
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit != isNumber { end(&run, isNumber: isNumber) }
            isNumber = isDigit
            run.append(byte)
        }
        end(&run, isNumber: isNumber)
    }

    private mutating func end(_ run: inout [UInt8], isNumber: Bool) {
        guard !run.isEmpty else { return }
        let digits = isNumber ? Array(run.drop { $0 == 0x30 }) : []
        parts.append(isNumber ? .number(digits.count, digits) : .text(run))
        run = []
    }

    static func < (left: NaturalKey, right: NaturalKey) -> Bool {
        for (a, b) in zip(left.parts, right.parts) where a != b {
            switch (a, b) {
            case (.number(let count, let digits), .number(let otherCount, let others)):
                return count == otherCount ? digits.lexicographicallyPrecedes(others) : count < otherCount
            case (.text(let text), .text(let other)): return text.lexicographicallyPrecedes(other)
            case (.number, .text): return true
            case (.text, .number): return false
            }
        }
        return left.parts.count < right.parts.count
    }
}
