import DocumentValues

/// The state of the clause that is being written: the names and functions that its expressions may use, and the variables that
/// are in use. Each clause of a statement begins with a state of its own.
struct ClauseState {
    var kind: ClauseKind = .index
    /// Whether aliases of the SELECT list hide properties.
    var seesAliases = false
    var allowsAggregates = false
    /// Whether it may have full-text searches.
    var allowsMatch = false
    /// Whether it may have properties: a clause without them has the same value for all rows.
    var allowsProperties = true
    /// Whether booleans must differ from 1 and 0 in the present part.
    var keepsBooleans = false
    /// Variables of ANY and EVERY that it has used so far.
    var usedVariables: Set<Name> = []
}

extension ClauseState {
    /// The SELECT list.
    static let columns = ClauseState(kind: .columns, allowsAggregates: true)
    /// ON, and conditions that only follow from others.
    static let join = ClauseState(kind: .join)
    /// GROUP BY.
    static let grouping = ClauseState(kind: .grouping, seesAliases: true)

    /// WHERE.
    static func condition(hasJoins: Bool) -> ClauseState {
        ClauseState(kind: .condition, seesAliases: !hasJoins, allowsMatch: true)
    }

    /// ORDER BY.
    static func order(isGrouped: Bool) -> ClauseState {
        ClauseState(kind: .order, seesAliases: true, allowsAggregates: isGrouped)
    }

    /// LIMIT and OFFSET.
    static let limits = ClauseState(kind: .limits, seesAliases: true, allowsProperties: false)
}

/// A table of full-text search among the sources of a statement.
struct FullTextSearch {
    /// `index_3`
    let table: String
    /// `f0`
    let name: String
    /// The source whose documents are searched, such as `s0`.
    let source: String
}
