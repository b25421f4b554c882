/// Functions of ``QueryBuilder``. Their results for values of wrong types are in the reference of SQL++: MISSING gives
/// MISSING, null and wrong types give null.
public enum Function {
    // MARK: Of groups

    /// The mean of a group's numbers.
    public static func avg(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("AVG", arguments: [expression])
    }

    /// How many values of a group are not MISSING.
    public static func count(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("COUNT", arguments: [expression])
    }

    /// The least value of a group.
    public static func min(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("MIN", arguments: [expression])
    }

    /// The greatest value of a group.
    public static func max(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("MAX", arguments: [expression])
    }

    /// The sum of a group's numbers.
    public static func sum(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("SUM", arguments: [expression])
    }
}

extension Function {
    // MARK: Mathematics

    /// The number without its sign.
    public static func abs(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ABS", arguments: [expression])
    }

    /// The arc cosine, in radians.
    public static func acos(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ACOS", arguments: [expression])
    }

    /// The arc sine, in radians.
    public static func asin(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ASIN", arguments: [expression])
    }

    /// The arc tangent, in radians.
    public static func atan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ATAN", arguments: [expression])
    }

    /// The next whole number that is not less.
    public static func ceil(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("CEIL", arguments: [expression])
    }

    /// The cosine of an angle in radians.
    public static func cos(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("COS", arguments: [expression])
    }

    /// Radians as degrees.
    public static func degrees(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("DEGREES", arguments: [expression])
    }

    /// e to the power of the number.
    public static func exp(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("EXP", arguments: [expression])
    }

    /// The next whole number that is not greater.
    public static func floor(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("FLOOR", arguments: [expression])
    }

    /// The natural logarithm.
    public static func ln(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("LN", arguments: [expression])
    }

    /// The logarithm to the base 10.
    public static func log(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("LOG", arguments: [expression])
    }

    /// Degrees as radians.
    public static func radians(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("RADIANS", arguments: [expression])
    }

    /// The nearest whole number; halves are rounded away from 0.
    public static func round(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ROUND", arguments: [expression])
    }

    /// -1, 0 or 1.
    public static func sign(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("SIGN", arguments: [expression])
    }

    /// The sine of an angle in radians.
    public static func sin(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("SIN", arguments: [expression])
    }

    /// The square root.
    public static func sqrt(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("SQRT", arguments: [expression])
    }

    /// The tangent of an angle in radians.
    public static func tan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("TAN", arguments: [expression])
    }

    /// The number without the digits behind the point.
    public static func trunc(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("TRUNC", arguments: [expression])
    }

    /// The angle of a point, in radians.
    public static func atan2(y: any ExpressionProtocol, x: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("ATAN2", arguments: [y, x])
    }

    /// e, 2.718….
    public static func e() -> any ExpressionProtocol { BuiltExpression.call("E", arguments: []) }

    /// π, 3.141….
    public static func pi() -> any ExpressionProtocol { BuiltExpression.call("PI", arguments: []) }

    /// The base to the power of the exponent.
    public static func power(
        base: any ExpressionProtocol, exponent: any ExpressionProtocol
    ) -> any ExpressionProtocol {
        BuiltExpression.call("POWER", arguments: [base, exponent])
    }

    /// The number with so many digits behind the point; halves are rounded away from 0.
    public static func round(
        _ expression: any ExpressionProtocol, digits: any ExpressionProtocol
    ) -> any ExpressionProtocol {
        BuiltExpression.call("ROUND", arguments: [expression, digits])
    }

    /// The number cut after so many digits behind the point.
    public static func trunc(
        _ expression: any ExpressionProtocol, digits: any ExpressionProtocol
    ) -> any ExpressionProtocol {
        BuiltExpression.call("TRUNC", arguments: [expression, digits])
    }
}

extension Function {
    // MARK: Texts

    /// Whether the text has the other in it; upper and lower case differ.
    public static func contains(
        _ expression: any ExpressionProtocol, substring: any ExpressionProtocol
    ) -> any ExpressionProtocol {
        BuiltExpression.call("CONTAINS", arguments: [expression, substring])
    }

    /// How many characters (code points) the text has.
    public static func length(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("LENGTH", arguments: [expression])
    }

    /// The text in lower case.
    public static func lower(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("LOWER", arguments: [expression])
    }

    /// The text without white space at its beginning.
    public static func ltrim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("LTRIM", arguments: [expression])
    }

    /// The text without white space at its end.
    public static func rtrim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("RTRIM", arguments: [expression])
    }

    /// The text without white space at both ends.
    public static func trim(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("TRIM", arguments: [expression])
    }

    /// The text in upper case.
    public static func upper(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("UPPER", arguments: [expression])
    }
}

extension Function {
    // MARK: Dates

    /// The milliseconds since 1970 of an ISO 8601 text. One without a time zone is in the zone of the process, while
    /// `date(forKey:)` takes it for one of UTC.
    public static func stringToMillis(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("STR_TO_MILLIS", arguments: [expression])
    }

    /// An ISO 8601 text in universal time; one without a time zone is in the zone of the process.
    public static func stringToUTC(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("STR_TO_UTC", arguments: [expression])
    }

    /// Milliseconds since 1970 as an ISO 8601 text in local time.
    public static func millisToString(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("MILLIS_TO_STR", arguments: [expression])
    }

    /// Milliseconds since 1970 as an ISO 8601 text in universal time.
    public static func millisToUTC(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("MILLIS_TO_UTC", arguments: [expression])
    }
}
