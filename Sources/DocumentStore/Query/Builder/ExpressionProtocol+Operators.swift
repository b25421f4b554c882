import DocumentQuery

extension ExpressionProtocol {
    // MARK: Arithmetic

    /// This times the other.
    public func multiply(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.multiply, with: expression)
    }

    /// This divided by the other; MISSING where that is 0.
    public func divide(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.divide, with: expression)
    }

    /// The remainder of the division by the other.
    public func modulo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.modulo, with: expression)
    }

    /// The sum.
    public func add(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { binary(.add, with: expression) }

    /// This without the other.
    public func subtract(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.subtract, with: expression)
    }

    // MARK: Comparing

    /// Whether this is less than the other.
    public func lessThan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.less, with: expression)
    }

    /// Whether this is at most the other.
    public func lessThanOrEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.lessOrEqual, with: expression)
    }

    /// Whether this is more than the other.
    public func greaterThan(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.greater, with: expression)
    }

    /// Whether this is at least the other.
    public func greaterThanOrEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.greaterOrEqual, with: expression)
    }

    /// Whether both are equal; 1 and true are.
    public func equalTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.equal, with: expression)
    }

    /// Whether they differ.
    public func notEqualTo(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.unequal, with: expression)
    }

    /// Whether both are equal, or both MISSING.
    public func `is`(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { binary(.same, with: expression) }

    /// The opposite of ``is(_:)``.
    public func isNot(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        binary(.notSame, with: expression)
    }

    /// Whether this is in the range, both ends included.
    public func between(_ low: any ExpressionProtocol, and high: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression([self, low, high]) { (parts) throws(QueryError) in
            .between(parts[0], low: parts[1], high: parts[2], isNegated: false)
        }
    }

    /// Whether this is equal to one of the others.
    public func `in`(_ expressions: [any ExpressionProtocol]) -> any ExpressionProtocol {
        BuiltExpression([self] + expressions) { (parts) throws(QueryError) in
            .among(parts[0], list: .array(Array(parts.dropFirst())), isNegated: false)
        }
    }

    /// Whether the text is like the pattern, in which `%` is any text and `_` any character; upper and lower case differ.
    public func like(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression([self, expression]) { (parts) throws(QueryError) in
            .like(parts[0], pattern: parts[1], isNegated: false)
        }
    }

    /// Whether the regular expression is anywhere in the text.
    public func regex(_ expression: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression.call("REGEXP_LIKE", arguments: [self, expression])
    }

    // MARK: Tests

    /// Whether this is neither null nor MISSING.
    public func isValued() -> any ExpressionProtocol { test(.valued, isNegated: false) }

    /// Whether this is null or MISSING.
    public func isNotValued() -> any ExpressionProtocol { test(.valued, isNegated: true) }

    /// Whether this is null or MISSING.
    @available(*, deprecated, renamed: "isNotValued")
    public func isNullOrMissing() -> any ExpressionProtocol { isNotValued() }

    /// Whether this is neither null nor MISSING.
    @available(*, deprecated, renamed: "isValued")
    public func notNullOrMissing() -> any ExpressionProtocol { isValued() }

    // MARK: Logic

    /// Whether both are true.
    public func and(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { binary(.and, with: expression) }

    /// Whether one of them is true, or both.
    public func or(_ expression: any ExpressionProtocol) -> any ExpressionProtocol { binary(.or, with: expression) }

    /// The same text, compared in another way: `name.collate(Collation.unicode().ignoreCase(true)).equalTo(…)`.
    public func collate(_ collation: any CollationProtocol) -> any ExpressionProtocol {
        BuiltExpression([self]) { (parts) throws(QueryError) in
            .collated(try QueryCollation(collation), parts[0])
        }
    }

    private func binary(_ operation: BinaryOperator, with other: any ExpressionProtocol) -> any ExpressionProtocol {
        BuiltExpression([self, other]) { (parts) throws(QueryError) in .binary(operation, parts[0], parts[1]) }
    }

    private func test(_ test: ValueTest, isNegated: Bool) -> any ExpressionProtocol {
        BuiltExpression([self]) { (parts) throws(QueryError) in .test(parts[0], test, isNegated: isNegated) }
    }
}
