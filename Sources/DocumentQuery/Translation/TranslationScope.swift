import DocumentValues

/// A source of a statement, with the name that it has in SQL.
struct TranslatedSource {
    enum Content {
        case collection(Int64, hasScope: Bool)
        case elements
    }

    let content: Content
    /// Its name in the query.
    let alias: String
    /// The column name of `*`, and of the source alone; `nil` for `_`.
    let columnName: String?
    /// `s0`
    var table: String
    /// If there are several sources, META accepts only such aliases.
    let hasOwnAlias: Bool
    /// Whether deleted documents are among its rows, because the statement uses `META().isDeleted`.
    var seesDeleted = false

    var isCollection: Bool {
        switch content {
        case .collection: true
        case .elements: false
        }
    }
}

/// The meaning of names in a part of a statement.
struct TranslationScope {
    var sources: [TranslatedSource] = []
    /// Of the SELECT list; they hide properties in clauses that see them.
    var aliases: [Name: QueryExpression] = [:]
    /// Variables of ANY and EVERY around, with their names in SQL.
    var variables: [Name: String] = [:]
    /// The variables around the statement, which its columns can use.
    var variablesOfColumns: [Name: String] = [:]
    /// The full-text searches of its condition.
    var searches: [FullTextSearch] = []
    /// Whether one MAX or MIN is the only aggregate function of the statement, and all rows are one group.
    var hasOneExtreme = false

    func source(_ alias: String) -> TranslatedSource? { sources.first { $0.alias.isExactly(alias) } }
}
