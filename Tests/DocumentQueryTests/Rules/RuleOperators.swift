import DocumentQuery

/// True, false, and MISSING for what is not known.
enum RuleLogic {
    /// Numbers but 0, and texts that begin with one; `nil` for MISSING.
    static func truth(_ value: RuleValue) -> Bool? { RuleNumber(value).map { $0.double != 0 } }

    static func not(_ value: RuleValue) -> RuleValue { .truth(truth(value).map { !$0 }) }

    static func and(_ left: RuleValue, with right: RuleValue) -> RuleValue {
        let (left, right) = (truth(left), truth(right))
        if left == false || right == false { return .truth(false) }
        return left == nil || right == nil ? .missing : .truth(true)
    }

    static func or(_ left: RuleValue, with right: RuleValue) -> RuleValue {
        let (left, right) = (truth(left), truth(right))
        if left == true || right == true { return .truth(true) }
        return left == nil || right == nil ? .missing : .truth(false)
    }
}

enum RuleOperators {
    static func apply(_ operation: BinaryOperator, left: RuleValue, right: RuleValue) throws -> RuleValue {
        switch operation {
        case .and: RuleLogic.and(left, with: right)
        case .or: RuleLogic.or(left, with: right)
        case .same: .truth(isSame(left, right: right))
        case .notSame: .truth(!isSame(left, right: right))
        case .equal: isUnknown(left, right: right) ? .missing : .truth(left.isEqual(to: right))
        case .unequal: isUnknown(left, right: right) ? .missing : .truth(!left.isEqual(to: right))
        case .less: try compare(left, right: right) { $0 < 0 }
        case .lessOrEqual: try compare(left, right: right) { $0 <= 0 }
        case .greater: try compare(left, right: right) { $0 > 0 }
        case .greaterOrEqual: try compare(left, right: right) { $0 >= 0 }
        case .concatenate: try concatenate([left, right])
        case .add: arithmetic(left, right: right, whole: { $0.addingReportingOverflow($1) }, real: { $0 + $1 })
        case .subtract:
            arithmetic(left, right: right, whole: { $0.subtractingReportingOverflow($1) }, real: { $0 - $1 })
        case .multiply:
            arithmetic(left, right: right, whole: { $0.multipliedReportingOverflow(by: $1) }, real: { $0 * $1 })
        case .divide: quotient(left, right: right)
        case .modulo: remainder(left, right: right)
        }
    }

    static func concatenate(_ values: [RuleValue]) throws -> RuleValue {
        if values.contains(where: \.isMissing) { return .missing }
        return .text(try values.map { try $0.joined() ?? "" }.joined())
    }

    // MARK: Comparisons

    private static func isUnknown(_ left: RuleValue, right: RuleValue) -> Bool { left.isMissing || right.isMissing }

    /// `=`, where MISSING is MISSING and nothing else.
    private static func isSame(_ left: RuleValue, right: RuleValue) -> Bool {
        isUnknown(left, right: right) ? left.isMissing && right.isMissing : left.isEqual(to: right)
    }

    private static func compare(
        _ left: RuleValue, right: RuleValue, isTrue: (Int) -> Bool
    ) throws -> RuleValue {
        isUnknown(left, right: right) ? .missing : .truth(isTrue(try left.order(right)))
    }

    /// `value >= low AND value <= high`.
    static func between(_ value: RuleValue, low: RuleValue, high: RuleValue) throws -> RuleValue {
        RuleLogic.and(
            try compare(value, right: low) { $0 >= 0 }, with: try compare(value, right: high) { $0 <= 0 })
    }

    // MARK: Arithmetic

    /// Of whole numbers whole, if 64 bits hold it; else a double.
    private static func arithmetic(
        _ left: RuleValue, right: RuleValue, whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        real: (Double, Double) -> Double
    ) -> RuleValue {
        guard let left = RuleNumber(left), let right = RuleNumber(right) else { return .missing }
        if case .integer(let first) = left, case .integer(let second) = right {
            let (result, overflow) = whole(first, second)
            if !overflow { return .integer(result) }
        }
        return number(real(left.double, right.double))
    }

    /// What is no number is MISSING.
    private static func number(_ value: Double) -> RuleValue { value.isNaN ? .missing : .double(value) }

    /// By 0 MISSING, also by 0.0; of whole numbers without the fraction.
    private static func quotient(_ left: RuleValue, right: RuleValue) -> RuleValue {
        guard let divisor = RuleNumber(right), divisor.double != 0 else { return .missing }
        return arithmetic(left, right: right, whole: { $0.dividedReportingOverflow(by: $1) }, real: { $0 / $1 })
    }

    /// What is left of a division of whole numbers, with the sign of the first; a double if one of both is.
    private static func remainder(_ left: RuleValue, right: RuleValue) -> RuleValue {
        guard let dividend = RuleNumber(left), let divisor = RuleNumber(right) else { return .missing }
        let (whole, by) = (RuleNumber.whole(left), RuleNumber.whole(right))
        guard by != 0 else { return .missing }
        let result = by == -1 ? 0 : whole % by
        if case .integer = dividend, case .integer = divisor { return .integer(result) }
        return .double(Double(result))
    }
}

enum RuleLike {
    /// MISSING wins; null, arrays and objects match nothing, and nothing matches them.
    static func matches(_ value: RuleValue, pattern: RuleValue) throws -> RuleValue {
        if value.isMissing || pattern.isMissing { return .missing }
        guard let left = try text(value), let right = try text(pattern) else { return .truth(false) }
        return .truth(matches(left.unicodeScalars[...], pattern: right.unicodeScalars[...]))
    }

    private static func text(_ value: RuleValue) throws -> String? {
        switch value {
        case .text, .integer, .double: try value.joined()
        case .boolean(let boolean): boolean ? "1" : "0"
        case .missing, .null, .array, .object: nil
        }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    /// `%` is any text, `_` one code point; behind `\` a character is meant itself, and without one nothing matches.
    private static func matches(_ text: Scalars, pattern: Scalars) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "%":
            return text.indices.contains { matches(text[$0...], pattern: rest) }
                || matches(text[text.endIndex...], pattern: rest)
        case "_": return !text.isEmpty && matches(text.dropFirst(), pattern: rest)
        case "\\":
            guard let escaped = rest.first else { return false }
            return text.first == escaped && matches(text.dropFirst(), pattern: rest.dropFirst())
        default: return text.first == first && matches(text.dropFirst(), pattern: rest)
        }
    }
}
