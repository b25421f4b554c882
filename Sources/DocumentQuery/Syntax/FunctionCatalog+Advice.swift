import DocumentValues

/// The advice of errors of calls.
extension FunctionCatalog {
    /// Functions of other dialects, with their equivalents here.
    private static let equivalents: [String: String] = [
        "COALESCE": "IFMISSINGORNULL", "NVL": "IFMISSINGORNULL", "ISNULL": "x IS NULL", "ISMISSING": "x IS MISSING",
        "ISVALUED": "x IS VALUED", "IS_VALUED": "x IS VALUED", "IIF": "CASE WHEN … THEN … ELSE … END",
        "MOD": "x % y", "POW": "POWER", "CEILING": "CEIL", "LCASE": "LOWER", "UCASE": "UPPER", "LEN": "LENGTH",
        "INSTR": "REGEXP_POSITION", "POSITION": "REGEXP_POSITION", "REPLACE": "REGEXP_REPLACE",
        "REGEXP_MATCHES": "REGEXP_LIKE", "CONTAINS_REGEX": "REGEXP_CONTAINS", "MEAN": "AVG",
        "GROUP_CONCAT": "ARRAY_AGG", "CAST": "TONUMBER, TOSTRING and the like",
    ]

    /// - Parameters:
    ///   - name: in upper case.
    ///   - position: `Column 9`, where it is known.
    static func advice(onUnknown name: String, at position: String? = nil) -> String {
        let shown = name.printableLine.shortened(toScalars: QueryLimits.shownToken)
        let missing = "\(position.map { "\($0): there" } ?? "There") is no function \(shown)"
        if refused.contains(name) { return "\(missing) here." }
        if let equivalent = equivalents[name] { return "\(missing); write \(equivalent)." }
        let others = names + ["EXISTS", "MATCH", "META", "RANK"]
        let near = NearName.near(name, among: others, count: QueryLimits.proposedNames)
        return near.isEmpty ? "\(missing)." : "\(missing). Did you mean \(near.listed(by: "or"))?"
    }

    /// `ROUND takes 1 or 2 arguments, and here are 3.`
    static func advice(onArguments count: Int, of name: String, counts: ClosedRange<Int>) -> String {
        let (least, most) = (counts.lowerBound, counts.upperBound)
        let taken: String
        if least == most {
            taken = least == 0 ? "no arguments" : least == 1 ? "1 argument" : "\(least) arguments"
        } else if most == QueryLimits.arguments, count < least {
            taken = "at least \(least) arguments"
        } else {
            taken = most == least + 1 ? "\(least) or \(most) arguments" : "\(least) to \(most) arguments"
        }
        let here = count == 0 ? "here are none" : count == 1 ? "here is 1" : "here are \(count)"
        return "\(name) takes \(taken), and \(here)."
    }
}
