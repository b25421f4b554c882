import DocumentValues

/// A query as it was written.
package struct SelectStatement: Sendable {
    package var isDistinct: Bool
    package var columns: [ResultColumn]
    /// The collection, then the sources that are joined to it.
    package var sources: [QuerySource]
    package var condition: QueryExpression?
    package var grouping: [QueryExpression]
    package var groupCondition: QueryExpression?
    package var order: [OrderTerm]
    package var limit: QueryExpression?
    package var offset: QueryExpression?

    /// The columns of a query that names none.
    package static let defaultColumns = ["_id", "_sequence"].map {
        ResultColumn(.property(QueryPath(keys: [$0])), alias: $0)
    }

    package init(
        isDistinct: Bool = false, columns: [ResultColumn], sources: [QuerySource], condition: QueryExpression? = nil,
        grouping: [QueryExpression] = [], groupCondition: QueryExpression? = nil, order: [OrderTerm] = [],
        limit: QueryExpression? = nil, offset: QueryExpression? = nil
    ) {
        self.isDistinct = isDistinct
        self.columns = columns
        self.sources = sources
        self.condition = condition
        self.grouping = grouping
        self.groupCondition = groupCondition
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

package struct ResultColumn: Sendable {
    package let expression: QueryExpression
    package let alias: String?

    package init(_ expression: QueryExpression, alias: String? = nil) {
        self.expression = expression
        self.alias = alias
    }
}

package struct OrderTerm: Sendable {
    package let expression: QueryExpression
    package let isDescending: Bool

    package init(_ expression: QueryExpression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

package struct QuerySource: Sendable {
    package enum Content: Sendable {
        /// The parts of the collection's name as they were written: one or two.
        case collection([String])
        /// The elements of a value of an earlier source.
        case elements(of: QueryExpression)
    }

    package enum Joining: String, Sendable, Hashable {
        /// The first source.
        case first = ""
        case inner = "INNER"
        case left = "LEFT OUTER"
        case cross = "CROSS"
        case unnest = "UNNEST"
    }

    package let content: Content
    package let alias: String?
    package let joining: Joining
    package let condition: QueryExpression?

    package init(
        _ content: Content, alias: String? = nil, joining: Joining = .first, condition: QueryExpression? = nil
    ) {
        self.content = content
        self.alias = alias
        self.joining = joining
        self.condition = condition
    }
}
