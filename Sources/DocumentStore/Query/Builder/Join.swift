import DocumentQuery

/// Another source, whose documents are put beside those of the sources before.
public protocol JoinProtocol: Sendable {}

/// A join that needs a condition.
public protocol JoinOnProtocol: JoinProtocol {
    /// Which documents belong together.
    func on(_ expression: any ExpressionProtocol) -> any JoinProtocol
}

/// Makes the joins of ``QueryBuilder``.
public enum Join {
    /// Each pair that the condition fits, as ``innerJoin(_:)``.
    public static func join(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol { innerJoin(datasource) }

    /// Each pair that the condition fits, and documents without a partner alone, as ``leftOuterJoin(_:)``.
    public static func leftJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol {
        leftOuterJoin(datasource)
    }

    /// Each pair that the condition fits, and documents without a partner alone: the other's properties are MISSING.
    public static func leftOuterJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol {
        BuiltJoin(joining: .left, source: datasource, condition: nil)
    }

    /// Each pair that the condition fits.
    public static func innerJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol {
        BuiltJoin(joining: .inner, source: datasource, condition: nil)
    }

    /// All pairs.
    public static func crossJoin(_ datasource: any DataSourceProtocol) -> any JoinProtocol {
        BuiltJoin(joining: .cross, source: datasource, condition: nil)
    }
}

/// A join as the builder carries it.
struct BuiltJoin: JoinOnProtocol {
    let joining: QuerySource.Joining
    let source: any DataSourceProtocol
    let condition: BuiltExpression?

    func on(_ expression: any ExpressionProtocol) -> any JoinProtocol {
        BuiltJoin(joining: joining, source: source, condition: BuiltExpression(expression))
    }
}
