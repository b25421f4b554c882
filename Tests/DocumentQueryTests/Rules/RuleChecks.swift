import DocumentQuery
import DocumentValues

/// What is refused before anything is read: calls with too many or too few arguments, a variable that is used twice in a
/// clause, an aggregate where no rows are counted.
enum RuleChecks {
    /// - Parameter clause: the expressions of a SELECT list, or a condition.
    static func check(_ clause: [QueryExpression]) throws {
        var variables: [String] = []
        for expression in clause { try check(expression, variables: &variables) }
    }

    private static func check(_ expression: QueryExpression, variables: inout [String]) throws {
        switch expression {
        case .call(let name, let arguments):
            guard counts(name).contains(arguments.count) else {
                throw RuleError.refused("arguments of \(name)")
            }
        case .quantified(_, let variable, _, _):
            guard !variables.contains(where: { $0.isExactly(variable) }) else {
                throw RuleError.refused("variable \(variable)")
            }
            variables.append(variable)
        case .aggregate(let name, _, _): throw RuleError.refused("aggregate \(name)")
        case .match: throw RuleError.refused("MATCH inside an expression")
        case .missing, .literal, .property, .parameter, .variable, .array, .object, .nested, .unary, .binary, .between,
            .among, .like, .test, .choice, .meta, .all, .collated, .rank, .exists:
            break
        }
        for child in expression.children { try check(child, variables: &variables) }
    }

    /// How many arguments a function takes.
    private static func counts(_ name: String) -> ClosedRange<Int> {
        switch name {
        case "E", "PI": 0...0
        case "IFMISSING", "IFMISSINGORNULL", "IFNULL", "CONCAT", "GREATEST", "LEAST": 2...100
        case "MISSINGIF", "NULLIF", "ARRAY_CONTAINS", "CONTAINS", "ATAN2", "POWER", "DIV", "IDIV": 2...2
        case "ROUND", "ROUND_EVEN", "TRUNC": 1...2
        default: 1...1
        }
    }
}
