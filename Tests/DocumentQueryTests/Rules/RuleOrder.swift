import DocumentValues

/// Which values are equal, and which comes first.
extension RuleValue {
    /// The same kind and the same contents: as the elements of arrays are compared, where 1 and 1.0 differ, and TRUE and 1.
    func isIdentical(to other: RuleValue) -> Bool {
        switch (self, other) {
        case (.missing, .missing), (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): left.isExactly(right)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.key.isExactly($1.key) && $0.value.isIdentical(to: $1.value) }
        default: false
        }
    }

    /// By `=`, of values that are there: 1, 1.0 and TRUE are equal.
    func isEqual(to other: RuleValue) -> Bool {
        if let sign = numericOrder(other) { return sign == 0 }
        return isIdentical(to: other)
    }

    /// Numbers and booleans, texts by their bytes, null, arrays, objects.
    private var rank: Int {
        switch self {
        case .missing: 0
        case .boolean, .integer, .double: 1
        case .text: 2
        case .null: 3
        case .array, .object: 4
        }
    }

    /// Below, at or above 0. Among arrays and objects only what is equal is sure: their order is by storage.
    func order(_ other: RuleValue) throws -> Int {
        guard rank == other.rank else { return rank < other.rank ? -1 : 1 }
        if let sign = numericOrder(other) { return sign }
        if isIdentical(to: other) { return 0 }
        guard let left = text, let right = other.text else {
            throw RuleError.unspecified("the order of arrays and objects")
        }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    // MARK: Numbers

    private var whole: Int64? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .missing, .null, .double, .text, .array, .object: nil
        }
    }

    /// Exactly, also beyond 2^53; `nil` where one is no number.
    private func numericOrder(_ other: RuleValue) -> Int? {
        guard let left = numeric, let right = other.numeric else { return nil }
        if let left = whole, let right = other.whole { return left < right ? -1 : left > right ? 1 : 0 }
        if let left = whole { return Self.order(left, double: right) }
        if let right = other.whole { return -Self.order(right, double: left) }
        return left < right ? -1 : left > right ? 1 : 0
    }

    private static func order(_ whole: Int64, double: Double) -> Int {
        if double >= 9_223_372_036_854_775_808 { return -1 }
        if double < -9_223_372_036_854_775_808 { return 1 }
        let below = Int64(double.rounded(.down))
        if whole != below { return whole < below ? -1 : 1 }
        return double == Double(below) ? 0 : -1
    }
}
