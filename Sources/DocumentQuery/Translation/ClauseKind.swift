/// The clause of a statement that is being written, for errors.
enum ClauseKind {
    case columns
    /// ON, and the lists of UNNEST.
    case join
    /// WHERE.
    case condition
    /// GROUP BY.
    case grouping
    /// HAVING.
    case groupCondition
    case order
    /// LIMIT and OFFSET.
    case limits
    /// An expression of an index, or its condition.
    case index

    /// Where an aggregate function belongs that cannot be here.
    func advice(onAggregate name: String) -> String {
        let having = "put a condition on \(name)(), or on an alias of it, into HAVING behind GROUP BY"
        return switch self {
        case .condition: "WHERE is about one document at a time: \(having)."
        case .join: "A join is about one document at a time: \(having)."
        case .grouping: "GROUP BY makes the groups that \(name)() is of: \(having)."
        case .order: "ORDER BY \(name)() needs a GROUP BY, or an aggregate function among the columns."
        case .columns, .groupCondition: "An aggregate function cannot be inside another, nor inside ANY or EVERY."
        case .limits: "LIMIT and OFFSET are numbers or parameters."
        case .index: "An index is of one document at a time."
        }
    }
}
