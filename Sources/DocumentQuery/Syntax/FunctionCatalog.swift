/// Which functions there are, and how many arguments each takes.
package enum FunctionCatalog {
    /// What an aggregate gives: a number, one of the values of its group, or all of them.
    enum AggregateResult: Sendable {
        case number
        case extreme
        case array
    }

    private struct Aggregate {
        let arguments: ClosedRange<Int>
        let result: AggregateResult
        /// Its name in SQL.
        let sql: String
    }

    private static let aggregates: [String: Aggregate] = [
        "AVG": Aggregate(arguments: 1...1, result: .number, sql: "avg"),
        "COUNT": Aggregate(arguments: 0...1, result: .number, sql: "count"),
        "MAX": Aggregate(arguments: 1...1, result: .extreme, sql: "max"),
        "MIN": Aggregate(arguments: 1...1, result: .extreme, sql: "min"),
        "SUM": Aggregate(arguments: 1...1, result: .number, sql: "fb_sum"),
        "ARRAY_AGG": Aggregate(arguments: 1...1, result: .array, sql: "fb_array_agg"),
    ]

    private static let scalars: [String: ClosedRange<Int>] = {
        var all: [String: ClosedRange<Int>] = [
            "ARRAY_AVG": 1...1, "ARRAY_CONTAINS": 2...2, "ARRAY_COUNT": 1...1, "ARRAY_IFNULL": 1...1,
            "ARRAY_LENGTH": 1...1, "ARRAY_MAX": 1...1, "ARRAY_MIN": 1...1, "ARRAY_SUM": 1...1,
            "IFMISSING": 2...QueryLimits.arguments, "IFMISSINGORNULL": 2...QueryLimits.arguments,
            "IFNULL": 2...QueryLimits.arguments, "MISSINGIF": 2...2,
            "NULLIF": 2...2, "CONCAT": 2...QueryLimits.arguments, "CONTAINS": 2...2, "LENGTH": 1...1, "LOWER": 1...1,
            "LTRIM": 1...1,
            "RTRIM": 1...1, "TRIM": 1...1, "UPPER": 1...1, "TYPE": 1...1, "TYPENAME": 1...1,
            "ATAN2": 2...2, "POWER": 2...2, "DIV": 2...2, "IDIV": 2...2, "E": 0...0, "PI": 0...0, "ROUND": 1...2,
            "ROUND_EVEN": 1...2, "TRUNC": 1...2, "GREATEST": 2...QueryLimits.arguments,
            "LEAST": 2...QueryLimits.arguments,
            "REGEXP_CONTAINS": 2...2, "REGEXP_LIKE": 2...2, "REGEXP_POSITION": 2...2, "REGEXP_REPLACE": 3...4,
            "STR_TO_MILLIS": 1...1, "STR_TO_UTC": 1...2, "STR_TO_TZ": 2...3, "MILLIS_TO_STR": 1...2,
            "MILLIS_TO_UTC": 1...2, "MILLIS_TO_TZ": 2...3, "DATE_ADD_STR": 3...4, "DATE_ADD_MILLIS": 3...3,
            "DATE_DIFF_STR": 3...3, "DATE_DIFF_MILLIS": 3...3,
        ]
        for kind in ["ARRAY", "ATOM", "BOOLEAN", "NUMBER", "OBJECT", "STRING"] {
            for name in ["IS\(kind)", "IS_\(kind)", "TO\(kind)", "TO_\(kind)"] { all[name] = 1...1 }
        }
        for name in [
            "ABS", "ACOS", "ASIN", "ATAN", "CEIL", "COS", "DEGREES", "EXP", "FLOOR", "LN", "LOG", "RADIANS", "SIGN",
            "SIN", "SQRT", "TAN",
        ] { all[name] = 1...1 }
        return all
    }()

    /// Functions of another edition: they are parsed, so that the error can name them.
    static let refused: Set<String> = [
        "APPROX_VECTOR_DISTANCE", "COSINE_DISTANCE", "EUCLIDEAN_DISTANCE", "PREDICTION", "VECTOR_DISTANCE",
        "VECTOR_MATCH",
    ]

    /// Functions that use the time zone of the process; another process on the same database may have another one.
    private static let zoned: Set<String> = ["MILLIS_TO_STR", "STR_TO_MILLIS", "STR_TO_TZ", "STR_TO_UTC"]

    static func dependsOnZone(_ name: String) -> Bool { zoned.contains(name) }

    /// All functions that a query may call, each by one name: `IS_ARRAY` is `ISARRAY`.
    package static var names: [String] {
        (Array(aggregates.keys) + scalars.keys).filter { !$0.hasPrefix("IS_") && !$0.hasPrefix("TO_") }.sorted()
    }

    /// Functions that fail for some values, because they accept any pattern.
    private static let failing: Set<String> = [
        "REGEXP_CONTAINS", "REGEXP_LIKE", "REGEXP_POSITION", "REGEXP_REPLACE",
    ]

    /// Whether it may fail because of a document's content, although the query has no mistake.
    static func mayFail(_ name: String) -> Bool { failing.contains(name) }

    /// Functions that return one of their arguments.
    private static let handingOn: Set<String> = [
        "ARRAY_IFNULL", "GREATEST", "IFMISSING", "IFMISSINGORNULL", "IFNULL", "LEAST", "LTRIM", "MISSINGIF", "NULLIF",
        "RTRIM", "TOATOM", "TONUMBER", "TRIM",
    ]

    /// Functions whose result is true or false.
    private static let truths: Set<String> = [
        "ARRAY_CONTAINS", "CONTAINS", "ISARRAY", "ISATOM", "ISBOOLEAN", "ISNUMBER", "ISOBJECT", "ISSTRING",
        "REGEXP_CONTAINS", "REGEXP_LIKE", "TOBOOLEAN",
    ]

    static func mayBeBoolean(_ name: String) -> Bool { handingOn.contains(name) || truths.contains(name) }

    package static func isKnown(_ name: String) -> Bool {
        aggregates[name] != nil || scalars[name] != nil || refused.contains(name)
    }

    package static func isAggregate(_ name: String) -> Bool { aggregates[name] != nil }

    /// `nil` for a function that is no aggregate.
    static func result(ofAggregate name: String) -> AggregateResult? { aggregates[name]?.result }

    /// `nil` for a function that is no aggregate.
    static func sql(ofAggregate name: String) -> String? { aggregates[name]?.sql }

    /// A call, with the number of its arguments checked.
    ///
    /// - Parameter name: in upper case.
    package static func call(
        _ name: String, arguments: [QueryExpression], isDistinct: Bool = false
    ) throws(QueryError) -> QueryExpression {
        guard let counts = aggregates[name]?.arguments ?? scalars[name] else {
            throw QueryError("Unknown function '\(name)'", advice: advice(onUnknown: name))
        }
        guard counts.contains(arguments.count) else {
            let kind = arguments.count < counts.lowerBound ? "few" : "many"
            throw QueryError(
                "Too \(kind) arguments for function '\(name)'",
                advice: advice(onArguments: arguments.count, of: name, counts: counts))
        }
        guard isAggregate(name) else { return .call(name.withoutUnderscoreBehindPrefix, arguments) }
        return .aggregate(name, arguments, isDistinct: isDistinct)
    }
}

extension String {
    /// `IS_ARRAY` is `ISARRAY`.
    fileprivate var withoutUnderscoreBehindPrefix: String {
        guard hasPrefix("IS_") || hasPrefix("TO_") else { return self }
        return String(prefix(2) + dropFirst(3))
    }
}
