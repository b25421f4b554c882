import DocumentValues

/// ANY and EVERY.
extension StatementTranslator {
    mutating func quantified(
        _ quantifier: Quantifier, variable: String, list: QueryExpression, condition: QueryExpression,
        whole: QueryExpression
    ) throws -> SQLPiece {
        let isEquality = quantifier == .any && condition.isEquality(with: variable)
        if target == .valueIndex, !isEquality { return SQLPiece(try callInIndex(whole)) }
        guard clause.usedVariables.insert(Name(variable)).inserted else {
            throw QueryError("Variable '\(variable)' is already in use")
        }
        if isEquality, case .binary(_, _, let wanted) = condition {
            let elements = try translatedList(list).arguments
            return SQLPiece("\(kept("fb_any_equal"))(\(elements), \(try inner(wanted)))")
        }
        let piece = try searched(quantifier, variable: variable, list: list, condition: condition)
        return try indexedQuantifier(whole).map { SQLPiece($0.sql) } ?? piece
    }

    /// As a search in the elements, which is a statement inside the other.
    private mutating func searched(
        _ quantifier: Quantifier, variable: String, list: QueryExpression, condition: QueryExpression
    ) throws -> SQLPiece {
        // An aggregate function would be over the elements.
        let allowsAggregates = clause.allowsAggregates
        clause.allowsAggregates = false
        defer { clause.allowsAggregates = allowsAggregates }
        let elements = try translatedList(list)
        let table = "v\(variableCount)"
        variableCount += 1
        let outer = scope.variables
        scope.variables[Name(variable)] = table
        let test = try piece(condition)
        scope.variables = outer
        let from = "SELECT 1 FROM fb_each(\(elements.arguments)) AS \(table) WHERE"
        let hasOther = "EXISTS (\(from) NOT \(test.text(atLeast: .not)))"
        switch quantifier {
        case .any: return SQLPiece("EXISTS (\(from) \(test.text))")
        case .every: return SQLPiece(hasOther).negated(true)
        // A value that is not a list has no elements here.
        case .anyAndEvery: return SQLPiece("ifnull(\(elements.count), 0) > 0 AND NOT \(hasOther)", strength: .and)
        }
    }

    mutating func translatedList(_ list: QueryExpression) throws -> TranslatedList {
        if case .property(let path) = list, let (document, inner) = document(of: path) {
            guard clause.allowsProperties else { throw QueryError.notConstant }
            return TranslatedList(value: document, path: SQLText.quoted(inner.text))
        }
        return TranslatedList(value: try keepingBooleans { try $0.inner(list) }, path: nil)
    }
}

/// A list of elements: a value, or the value at a path of a document.
struct TranslatedList {
    fileprivate let value: String
    fileprivate let path: String?

    /// Those of `fb_each`.
    var arguments: String { "\(value), \(path ?? "NULL")" }

    fileprivate var count: String {
        "fb_array_count(\(path.map { "fb_part(\(value), \($0))" } ?? value))"
    }
}
