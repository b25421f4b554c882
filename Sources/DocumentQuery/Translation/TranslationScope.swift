import DocumentValues

/// A source of a statement, with the name that it has in SQL.
struct TranslatedSource {
    enum Content {
        case collection(Int64, hasScope: Bool)
        case elements
    }

    let content: Content
    /// What the query calls it.
    let alias: String
    /// What a `*` is called, and the source alone: nothing for `_`.
    let columnName: String?
    /// `s0`
    let table: String
    /// Only such aliases are taken for META where there are several sources.
    let hasOwnAlias: Bool
    /// Whether deleted documents are among its rows: the statement looks at which of them are.
    var seesDeleted = false

    var isCollection: Bool {
        switch content {
        case .collection: true
        case .elements: false
        }
    }
}

/// What names mean in a part of a statement.
struct TranslationScope {
    var sources: [TranslatedSource] = []
    /// Of the SELECT list; they hide properties where `seesAliases`.
    var aliases: [Name: QueryExpression] = [:]
    var seesAliases = false
    /// Variables of ANY and EVERY around, with their names in SQL.
    var variables: [Name: String] = [:]
    /// Those around the statement, which its columns see.
    var variablesOfColumns: [Name: String] = [:]
    var allowsAggregates = false
    /// Whether MAX or MIN is all that the statement has of the kind, and all rows are one group.
    var hasOneExtreme = false
    var allowsMatch = false
    var allowsProperties = true

    func source(_ alias: String) -> TranslatedSource? { sources.first { $0.alias.isExactly(alias) } }
}
