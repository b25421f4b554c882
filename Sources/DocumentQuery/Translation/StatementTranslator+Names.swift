import DocumentValues

extension StatementTranslator {
    /// The body of the first source, or of the one that is named.
    mutating func body(of alias: String?) throws -> String {
        guard clause.allowsProperties else { throw QueryError.notConstant }
        guard let alias else {
            guard let source = scope.sources.first, source.isCollection else { throw QueryError("* without a source") }
            return bodyColumn(source)
        }
        if let source = scope.source(alias) {
            return source.isCollection ? bodyColumn(source) : "fb_json(\(source.table).value)"
        }
        return "fb_json(\(try keepingBooleans { try $0.property(QueryPath(keys: [alias])) }))"
    }

    func bodyColumn(_ source: TranslatedSource) -> String { source.column("body") }

    /// The value of a path: of a variable, a column, a source.
    mutating func property(_ path: QueryPath) throws -> String {
        guard let first = path.firstKey else { throw QueryError("An index without a property") }
        if let table = scope.variables[Name(first)] { return valueInside("\(table).value", path: path.dropFirst()) }
        if clause.seesAliases, let expression = scope.aliases[Name(first)] {
            return try column(expression, path: path.dropFirst())
        }
        guard clause.allowsProperties else { throw QueryError.notConstant }
        if let source = scope.source(first), path.steps.count > 1, source.isCollection,
            let column = metaProperty(path.dropFirst(), of: source)
        {
            return column
        }
        if scope.sources.count == 1, scope.source(first) == nil, let column = metaProperty(path, of: scope.sources[0]) {
            return column
        }
        if let source = scope.source(first), !source.isCollection {
            return valueInside("\(source.table).value", path: path.dropFirst())
        }
        if scope.sources.count == 1, !scope.sources[0].isCollection {
            return valueInside("\(scope.sources[0].table).value", path: path)
        }
        guard let (document, inner) = document(of: path) else {
            throw scope.undeclared(path, among: scope.sources[...])
        }
        return "\(clause.keepsBooleans ? "fb_part" : "fb_value")(\(document), \(SQLText.quoted(inner.text)))"
    }

    /// A column by its alias, translated outside of the present expression: it has variables of its own.
    mutating func column(_ expression: QueryExpression, path: QueryPath) throws -> String {
        let (variables, outside) = (scope.variables, clause)
        scope.variables = scope.variablesOfColumns
        clause.seesAliases = false
        clause.usedVariables = []
        defer { (scope.variables, clause) = (variables, outside) }
        let sql = valueInside(try sql(expression), path: path)
        repeatedBytes += sql.utf8.count
        guard repeatedBytes <= QueryLimits.repeatedSQL else {
            throw QueryError("The query calls long columns by their aliases too often")
        }
        return sql
    }

    /// The expression behind an alias; `nil` for all other expressions.
    func meaning(of expression: QueryExpression) -> QueryExpression? { meaning(of: expression, in: clause) }

    func meaning(of expression: QueryExpression, in clause: ClauseState) -> QueryExpression? {
        guard clause.seesAliases, case .property(let path) = expression, path.steps.count == 1,
            let name = path.firstKey, scope.variables[Name(name)] == nil
        else { return nil }
        return scope.aliases[Name(name)]
    }

    /// The document that a property is in, with the path inside; `nil` for a path that is not a property of a document.
    func document(of path: QueryPath) -> (document: String, path: QueryPath)? { document(of: path, in: clause) }

    func document(of path: QueryPath, in clause: ClauseState) -> (document: String, path: QueryPath)? {
        let first = path.firstKey ?? ""
        guard scope.variables[Name(first)] == nil, !(clause.seesAliases && scope.aliases[Name(first)] != nil) else {
            return nil
        }
        if let source = scope.source(first) {
            guard source.isCollection, metaProperty(path.dropFirst(), of: source) == nil else { return nil }
            return (bodyColumn(source), path.dropFirst())
        }
        guard !scope.hasSeveralSources, let source = scope.sources.first, source.isCollection,
            metaProperty(path, of: source) == nil
        else { return nil }
        return (bodyColumn(source), path)
    }

    private func metaProperty(_ path: QueryPath, of source: TranslatedSource) -> String? {
        guard path.steps.count == 1, path.isMetaProperty, let name = path.firstKey else { return nil }
        return metaColumn(String(name.dropFirst()), of: source)
    }

    // MARK: META

    func metaSource(_ alias: String?) throws -> TranslatedSource {
        guard let alias else {
            guard !scope.hasSeveralSources, let source = scope.sources.first else {
                throw scope.undeclaredMeta("id")
            }
            return source
        }
        guard let source = scope.source(alias), source.hasOwnAlias else {
            throw scope.undeclaredSource(alias)
        }
        return source
    }

    func meta(_ alias: String?, key: String?) throws -> String {
        guard clause.allowsProperties else { throw QueryError.notConstant }
        if alias == nil, scope.hasSeveralSources {
            throw scope.undeclaredMeta(key ?? "meta")
        }
        let source = try metaSource(alias)
        guard source.isCollection else { return "NULL" }
        guard let key else {
            let members = ["deleted", "id", "revisionID", "sequence"].map {
                "'\($0)', \(metaColumn($0, of: source) ?? "NULL")"
            }
            return "fb_object(\(members.joined(separator: ", ")))"
        }
        guard let column = metaColumn(key, of: source) else { throw TranslationScope.unknownMeta(key) }
        return column
    }

    private func metaColumn(_ key: String, of source: TranslatedSource) -> String? {
        switch key {
        case "id": source.column("id")
        case "revisionID": source.column("revision")
        case "sequence", "rowid": source.column("sequence")
        case "deleted": "(\(source.column("flags")) & 1)"
        case "expiration": "CAST(round(\(source.column("expiration")) * 1000) AS INTEGER)"
        default: nil
        }
    }

    // MARK: Full text

    private func fullTextIndex(_ path: QueryPath) throws -> (FullTextTable, TranslatedSource)? {
        let qualifier = path.steps.count > 1 ? path.firstKey : nil
        guard let name = path.lastKey,
            let source = qualifier.map({ scope.source($0) }) ?? scope.sources.first,
            case .collection(let id, _) = source.content,
            let index = try environment.fullTextIndex(name, collection: id)
        else { return nil }
        return (index, source)
    }

    /// Names the searches of a condition before it is translated: columns need the names for RANK.
    mutating func declareMatches(_ condition: QueryExpression?) throws {
        for part in condition?.conjuncts ?? [] {
            guard case .match(let path, _) = part, let (index, source) = try fullTextIndex(path) else { continue }
            let key = Name("\(source.table).\(index.table)")
            searchNames[key] = searchNames[key] ?? "f\(searchNames.count)"
        }
    }

    mutating func match(_ path: QueryPath, text: QueryExpression) throws -> String {
        guard let (index, source) = try fullTextIndex(path) else {
            throw QueryError(
                "'match' test requires a full-text index", code: .missingIndex,
                advice: "There is no full-text index '\(path.lastKey.map(AdvisedName.shown) ?? "")'.")
        }
        let name = searchNames[Name("\(source.table).\(index.table)")] ?? "f\(searchNames.count)"
        guard !scope.searches.contains(where: { $0.name == name }) else {
            throw QueryError("Sorry, multiple MATCHes of the same property are not allowed")
        }
        scope.searches.append(FullTextSearch(table: index.table, name: name, source: source.table))
        let settings = SQLText.quoted(index.settings.text)
        let properties = SQLText.quoted(JSONValue.array(index.properties.map { .string($0) }).description)
        return "\(name).\"\(index.table)\" MATCH fb_match(\(try parts([text])[0]), \(settings), \(properties))"
    }

    func rank(_ path: QueryPath) throws -> String {
        guard clause.allowsProperties else { throw QueryError.notConstant }
        guard let (index, source) = try fullTextIndex(path) else {
            throw QueryError("rank() can only be called on FTS indexes")
        }
        guard let name = searchNames[Name("\(source.table).\(index.table)")] else {
            throw QueryError("rank() needs a MATCH of the same index")
        }
        return "fb_rank(\(name).\"\(index.table)\")"
    }
}

extension TranslatedSource {
    /// In an index the table has no name.
    func column(_ name: String) -> String { table.isEmpty ? name : "\(table).\(name)" }
}

extension TranslationScope {
    var hasSeveralSources: Bool { sources.count > 1 }
}

extension SelectStatement {
    /// Whether the expression uses `META().isDeleted` of a source.
    func mentionsDeleted(_ source: TranslatedSource, in scope: TranslationScope) -> Bool {
        let isFirst = scope.sources.first?.table == source.table
        return expressions.contains { expression in
            expression.contains { part in
                switch part {
                case .meta(let alias, "deleted"): alias.map { $0.isExactly(source.alias) } ?? isFirst
                case .property(let path) where path.lastKey == "_deleted":
                    path.steps.count == 1 ? isFirst : path.firstKey?.isExactly(source.alias) == true
                default: false
                }
            }
        }
    }
}
