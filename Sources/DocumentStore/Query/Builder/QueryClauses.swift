import DocumentQuery

// The parts of a query after SELECT, each a query that may run as it is. The protocols of a part are the parts that may
// follow it. Unchecked Sendable as `Query` is: they have no state of their own.

/// A query whose sources are known.
public final class From: Query, @unchecked Sendable, JoinRouter, WhereRouter, GroupByRouter, OrderByRouter,
    LimitRouter
{}

/// A query with several sources.
public final class Joins: Query, @unchecked Sendable, WhereRouter, GroupByRouter, OrderByRouter, LimitRouter {}

/// A query with a condition.
public final class Where: Query, @unchecked Sendable, GroupByRouter, OrderByRouter, LimitRouter {}

/// A query whose rows are groups.
public final class GroupBy: Query, @unchecked Sendable, HavingRouter, OrderByRouter, LimitRouter {}

/// A query with a condition of groups.
public final class Having: Query, @unchecked Sendable, OrderByRouter, LimitRouter {}

/// A query with an order.
public final class OrderBy: Query, @unchecked Sendable, LimitRouter {}

/// A query of some rows.
public final class Limit: Query, @unchecked Sendable {}

/// A query that can be joined with other sources.
public protocol JoinRouter: Query {}

/// A query that can be given a condition.
public protocol WhereRouter: Query {}

/// A query whose rows can be put into groups.
public protocol GroupByRouter: Query {}

/// A query whose groups can be given a condition.
public protocol HavingRouter: Query {}

/// A query whose rows can be sorted.
public protocol OrderByRouter: Query {}

/// A query whose rows can be limited.
public protocol LimitRouter: Query {}

extension JoinRouter {
    /// Puts the documents of other sources beside those of the first.
    public func join(_ joins: any JoinProtocol...) -> Joins { join(joins) }

    /// Puts the documents of other sources beside those of the first.
    public func join(_ joins: [any JoinProtocol]) -> Joins {
        Joins(
            built.with { built in
                for join in joins {
                    guard let join = join as? BuiltJoin else {
                        built.note(QueryError("\(type(of: join)) is no join of the query builder"))
                        continue
                    }
                    built.add(join.source, joining: join.joining, condition: join.condition)
                }
            })
    }
}

extension WhereRouter {
    /// Keeps the rows that the condition fits.
    public func `where`(_ expression: any ExpressionProtocol) -> Where {
        Where(built.with { $0.statement.condition = $0.syntax(expression) })
    }
}

extension GroupByRouter {
    /// Makes one row of all that have the same values.
    public func groupBy(_ expressions: any ExpressionProtocol...) -> GroupBy { groupBy(expressions) }

    /// Makes one row of all that have the same values.
    public func groupBy(_ expressions: [any ExpressionProtocol]) -> GroupBy {
        GroupBy(
            built.with { built in
                for expression in expressions { built.statement.grouping.append(built.syntax(expression)) }
            })
    }
}

extension HavingRouter {
    /// Keeps the groups that the condition fits.
    public func having(_ expression: any ExpressionProtocol) -> Having {
        Having(built.with { $0.statement.groupCondition = $0.syntax(expression) })
    }
}

extension OrderByRouter {
    /// Sorts the rows by the first key, those that are equal there by the next.
    public func orderBy(_ orderings: any OrderingProtocol...) -> OrderBy { orderBy(orderings) }

    /// Sorts the rows by the first key, those that are equal there by the next.
    public func orderBy(_ orderings: [any OrderingProtocol]) -> OrderBy {
        OrderBy(
            built.with { built in
                for ordering in orderings {
                    guard let ordering = ordering as? BuiltOrdering else {
                        built.note(QueryError("\(type(of: ordering)) is no ordering of the query builder"))
                        continue
                    }
                    _ = built.syntax(ordering.expression)
                    built.statement.order.append(ordering.term)
                }
            })
    }
}

extension LimitRouter {
    /// At most so many rows.
    public func limit(_ limit: any ExpressionProtocol) -> Limit { self.limit(limit, offset: nil) }

    /// At most so many rows, after passing over as many as `offset` says.
    public func limit(_ limit: any ExpressionProtocol, offset: (any ExpressionProtocol)?) -> Limit {
        Limit(
            built.with { built in
                built.statement.limit = built.syntax(limit)
                built.statement.offset = offset.map { built.syntax($0) }
            })
    }
}
