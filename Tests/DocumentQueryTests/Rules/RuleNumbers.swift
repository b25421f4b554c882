import Foundation

/// The functions of numbers, with booleans as 1 and 0; of anything else null. MISSING does not come here.
enum RuleNumbers {
    static func call(_ name: String, arguments: [RuleValue]) -> RuleValue? {
        switch arguments.count {
        case 0: constant(name)
        case 1: one(name, of: arguments[0])
        default: two(name, left: arguments[0], right: arguments[1])
        }
    }

    private static func constant(_ name: String) -> RuleValue? {
        switch name {
        case "E": .double(2.718281828459045)
        case "PI": .double(3.141592653589793)
        default: nil
        }
    }

    private static func one(_ name: String, of value: RuleValue) -> RuleValue? {
        switch name {
        case "ABS": finite(value, abs)
        case "ACOS": finite(value, acos)
        case "ASIN": finite(value, asin)
        case "ATAN": finite(value, atan)
        case "CEIL": finite(value, ceil)
        case "COS": finite(value, cos)
        case "DEGREES": finite(value) { $0 * 180 / 3.141592653589793 }
        case "EXP": finite(value, exp)
        case "FLOOR": finite(value, floor)
        case "LN": finite(value, log)
        case "LOG": finite(value, log10)
        case "RADIANS": finite(value) { $0 * 3.141592653589793 / 180 }
        case "SIN": finite(value, sin)
        case "SQRT": finite(value, sqrt)
        case "TAN": finite(value, tan)
        case "ROUND": finite(value, halfAwayFromZero)
        case "ROUND_EVEN": finite(value, halfToEven)
        case "TRUNC": finite(value, trunc)
        case "SIGN": sign(value)
        default: nil
        }
    }

    private static func two(_ name: String, left: RuleValue, right: RuleValue) -> RuleValue? {
        switch name {
        case "ATAN2": both(left, right: right) { finite(atan2($0, $1)) }
        case "POWER": both(left, right: right, result: power)
        case "DIV": both(left, right: right) { $1 == 0 ? .null : finite($0 / $1) }
        case "IDIV": both(left, right: right, result: wholeQuotient)
        case "ROUND": both(left, right: right) { rounded($0, digits: $1, by: halfAwayFromZero) }
        case "ROUND_EVEN": both(left, right: right) { rounded($0, digits: $1, by: halfToEven) }
        case "TRUNC": both(left, right: right) { rounded($0, digits: $1, by: trunc) }
        default: nil
        }
    }

    // MARK: Results

    private static func finite(_ value: Double) -> RuleValue { value.isFinite ? .double(value) : .null }

    private static func finite(_ value: RuleValue, _ function: (Double) -> Double) -> RuleValue {
        value.numeric.map { finite(function($0)) } ?? .null
    }

    private static func both(
        _ left: RuleValue, right: RuleValue, result: (Double, Double) -> RuleValue
    ) -> RuleValue {
        guard let left = left.numeric, let right = right.numeric else { return .null }
        return result(left, right)
    }

    private static func sign(_ value: RuleValue) -> RuleValue {
        guard let number = value.numeric else { return .null }
        return .integer(number > 0 ? 1 : number < 0 ? -1 : 0)
    }

    /// What is no number is MISSING, an infinity stays.
    private static func power(_ base: Double, exponent: Double) -> RuleValue {
        let result = pow(base, exponent)
        return result.isNaN ? .missing : .double(result)
    }

    /// Of both without their fractions; null by 0, and where 64 bits do not hold it.
    private static func wholeQuotient(_ left: Double, right: Double) -> RuleValue {
        let divisor = trunc(right)
        guard divisor != 0 else { return .null }
        return Int64(exactly: trunc(trunc(left) / divisor)).map(RuleValue.integer) ?? .null
    }

    // MARK: Rounding

    private static func halfAwayFromZero(_ value: Double) -> Double { value.rounded(.toNearestOrAwayFromZero) }

    private static func halfToEven(_ value: Double) -> Double { value.rounded(.toNearestOrEven) }

    /// To so many digits behind the point, below 0 in front of it. Where the digits are beyond what doubles have, all of
    /// them stay behind the point, and none in front of it.
    private static func rounded(_ value: Double, digits: Double, by round: (Double) -> Double) -> RuleValue {
        let scale = pow(10, trunc(digits))
        guard scale > 0 else { return finite(value * 0) }
        guard scale.isFinite, (value * scale).isFinite else { return finite(value) }
        return finite(round(value * scale) / scale)
    }

    // MARK: From texts

    /// A whole number, with spaces around it, is an integer; any other text what C's `strtod` reads of its beginning.
    static func converted(_ text: String) -> RuleValue {
        let digits = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\r"))
        if let whole = Int64(digits) { return .integer(whole) }
        let value = strtod(text, nil)
        return value.isNaN ? .null : .double(value)
    }
}
