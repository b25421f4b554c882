import DocumentQuery
import DocumentValues

/// An expression as the builder's types carry it: its syntax, or why there is none.
struct BuiltExpression: PropertyExpressionProtocol, MetaExpressionProtocol, VariableExpressionProtocol {
    let syntax: QueryExpression
    /// The first thing that is wrong with it; the query fails with it when it runs.
    let problem: QueryError?
    /// Expressions inside each other: more than `QueryLimits.depth` are never put together, since their release takes
    /// stack.
    private let depth: Int

    init(_ syntax: QueryExpression) {
        self.syntax = syntax
        problem = nil
        depth = 1
    }

    init(problem: QueryError) {
        syntax = .missing
        self.problem = problem
        depth = 1
    }

    /// An expression that is made of others.
    init(_ parts: [any ExpressionProtocol], make: ([QueryExpression]) throws(QueryError) -> QueryExpression) {
        let parts = parts.map { BuiltExpression($0) }
        depth = (parts.map(\.depth).max() ?? 0) + 1
        if let problem = parts.lazy.compactMap(\.problem).first {
            (syntax, self.problem) = (.missing, problem)
        } else if depth > QueryLimits.depth {
            let problem = QueryError("The query has more than \(QueryLimits.depth) expressions inside each other")
            (syntax, self.problem) = (.missing, problem)
        } else {
            do throws(QueryError) { (syntax, problem) = (try make(parts.map(\.syntax)), nil) } catch {
                (syntax, problem) = (.missing, error)
            }
        }
    }

    /// Any of the public ones.
    init(_ expression: any ExpressionProtocol) {
        if let built = expression as? BuiltExpression {
            self = built
        } else {
            self.init(problem: QueryError("\(type(of: expression)) is no expression of the query builder"))
        }
    }

    func from(_ alias: String) -> any ExpressionProtocol {
        switch syntax {
        case .property(let path): BuiltExpression(.property(QueryPath([.key(Name(alias))] + path.steps)))
        case .meta(_, let key): BuiltExpression(.meta(alias: alias, key: key))
        case .all: BuiltExpression(.all(alias: alias))
        default: self
        }
    }

    // MARK: Values

    /// A value of Swift's, in which there may be expressions.
    static func value(_ value: Any?, depth: Int = 0) -> BuiltExpression {
        guard depth < QueryLimits.nesting else {
            return BuiltExpression(
                problem: QueryError("A value is nested more than \(QueryLimits.nesting) levels deep"))
        }
        switch value {
        case let expression as any ExpressionProtocol: return BuiltExpression(expression)
        case let object? where FoundationContainer.isOne(object): return leaf(object)
        case let elements as [Any]:
            let parts = elements.map { BuiltExpression.value($0, depth: depth + 1) }
            return BuiltExpression(parts) { (parts) throws(QueryError) in .array(parts) }
        case let members as [String: Any]:
            let members = members.sorted { $0.key < $1.key }
            let parts = members.map { BuiltExpression.value($0.value, depth: depth + 1) }
            return BuiltExpression(parts) { (parts) throws(QueryError) in
                .object(zip(members, parts).map { (key: $0.key, value: $1) })
            }
        default: return leaf(value)
        }
    }

    private static func leaf(_ value: Any?) -> BuiltExpression {
        var writer = ValueWriter()
        let json = writer.write(ValueConversion.node(value, origin: ValueOrigin(nil)))
        if let fault = writer.faults.first {
            return BuiltExpression(problem: QueryError("A query cannot have such a value: \(fault.reason)"))
        }
        return BuiltExpression(.literal(json))
    }

    /// A path as it is written: `address.street`, `tags[0]`.
    static func property(_ text: String) -> BuiltExpression {
        guard let path = QueryPath(parsing: text), !path.steps.isEmpty else {
            return BuiltExpression(problem: QueryError("invalid property path '\(text)'"))
        }
        return BuiltExpression(.property(path))
    }

    /// A call of a function of the language.
    static func call(_ name: String, arguments: [any ExpressionProtocol]) -> BuiltExpression {
        BuiltExpression(arguments) { (arguments) throws(QueryError) in
            try FunctionCatalog.call(name, arguments: arguments)
        }
    }
}
