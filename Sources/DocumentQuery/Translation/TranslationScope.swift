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
    let table: String
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
    /// Of the SELECT list; they hide properties where `seesAliases`.
    var aliases: [Name: QueryExpression] = [:]
    var seesAliases = false
    /// Variables of ANY and EVERY around, with their names in SQL.
    var variables: [Name: String] = [:]
    /// The variables around the statement, which its columns can use.
    var variablesOfColumns: [Name: String] = [:]
    var allowsAggregates = false
    /// Whether one MAX or MIN is the only aggregate function of the statement, and all rows are one group.
    var hasOneExtreme = false
    var allowsMatch = false
    var allowsProperties = true

    func source(_ alias: String) -> TranslatedSource? { sources.first { $0.alias.isExactly(alias) } }
}
