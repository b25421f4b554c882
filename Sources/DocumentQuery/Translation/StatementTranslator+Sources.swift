import DocumentValues

/// The sources of a statement: collections, and elements of their arrays.
extension StatementTranslator {
    mutating func declare(_ source: QuerySource) throws -> TranslatedSource {
        guard sourceCount < QueryLimits.sources else {
            throw QueryError("More than \(QueryLimits.sources) sources")
        }
        let table = "s\(sourceCount)"
        sourceCount += 1
        switch source.content {
        case .collection(let parts):
            let (id, name) = try find(parts)
            collections.insert(id)
            return TranslatedSource(
                content: .collection(id, hasScope: parts.count > 1), alias: source.alias ?? name,
                columnName: (source.alias ?? name) == "_" ? nil : source.alias ?? name, table: table,
                hasOwnAlias: source.alias != nil || parts.count == 1)
        case .elements(let list):
            guard case .property(let path) = list else {
                throw QueryError(
                    "the use of a general expression as the object of UNNEST is not supported; "
                        + "only a property path is allowed.")
            }
            let name = source.alias ?? path.lastKey ?? ""
            return TranslatedSource(
                content: .elements, alias: name, columnName: name, table: table, hasOwnAlias: true)
        }
    }

    private func find(_ parts: [String]) throws -> (id: Int64, name: String) {
        let written = parts.joined(separator: ".")
        guard let last = parts.last else { throw QueryError("no such collection \"\"") }
        if parts.count == 1, last == "_" || last.isExactly(environment.databaseName) {
            return (try environment.collection(.default) ?? 0, last)
        }
        let name: CollectionName
        do throws(NameError) {
            name = try parts.count == 1 ? CollectionName(name: last) : CollectionName(scope: parts[0], name: last)
        } catch {
            // A point within a part is written with a backslash.
            let shown = parts.map { $0.utf8.split(separator: 0x2E, omittingEmptySubsequences: false) }
                .map { $0.map { String(Substring($0)) }.joined(separator: "\\.") }.joined(separator: ".")
            throw QueryError("\"\(shown)\" is not a valid collection name")
        }
        guard let id = try environment.collection(name) else {
            if parts.count == 2, parts[0].isExactly(environment.databaseName) {
                throw QueryError("\"\(written)\" is not a valid collection name")
            }
            throw QueryError(
                "no such collection \"\(written)\"",
                advice: CollectionAdvice(written, among: try environment.collectionNames()).text)
        }
        return (id, last)
    }

    /// No two sources or columns of a statement may have the same name.
    func checkAliases(_ columns: [ResultColumn]) throws {
        var seen: Set<Name> = []
        for source in scope.sources {
            guard seen.insert(Name(source.alias)).inserted else {
                throw QueryError("duplicate collection alias '\(source.alias)'")
            }
        }
        for alias in columns.compactMap(\.alias) where !seen.insert(Name(alias)).inserted {
            throw QueryError("duplicate collection alias '\(alias)'")
        }
    }

    mutating func translateSources(_ sources: [QuerySource]) throws -> (from: String, conditions: [String]) {
        clause = .join
        var from = ""
        var conditions: [String] = []
        for (index, source) in sources.enumerated() {
            let (part, condition) = try joined(source, at: index)
            from += part
            conditions += condition
        }
        return (from, conditions)
    }

    /// A source as a part of FROM, and its conditions for WHERE.
    private mutating func joined(_ source: QuerySource, at index: Int) throws -> (from: String, conditions: [String]) {
        let declared = scope.sources[index]
        let live = liveCondition(declared)
        switch source.joining {
        case .first: return (tableName(declared), live)
        case .inner:
            return (" JOIN \(tableName(declared))", live + [try joinCondition(source.condition)])
        case .cross:
            guard source.condition == nil else { throw QueryError("CROSS JOIN cannot accept an ON clause") }
            return (" JOIN \(tableName(declared))", live)
        case .left:
            let all = live + [try joinCondition(source.condition)]
            return (" LEFT JOIN \(tableName(declared)) ON \(all.joined(separator: " AND "))", [])
        case .unnest:
            guard case .elements(.property(let path)) = source.content else { return ("", []) }
            guard let first = path.firstKey, scope.sources[..<index].contains(where: { $0.alias.isExactly(first) })
            else {
                throw scope.undeclared(path, among: scope.sources[..<index])
            }
            return (" JOIN fb_each(\(try translatedList(.property(path)).arguments)) AS \(declared.table)", [])
        }
    }

    private mutating func joinCondition(_ condition: QueryExpression?) throws -> String {
        guard let condition else { throw QueryError("FROM item needs an ON clause to be a join") }
        clause = .join
        return try sqlOfCondition(condition)
    }

    private func tableName(_ source: TranslatedSource) -> String {
        guard case .collection(let id, _) = source.content else { return source.table }
        return "documents_\(id) AS \(source.table)"
    }

    /// Deleted documents are seen only if the query asks for them, expired ones never.
    ///
    /// With the `+` it is no condition of an index of META().deleted, which SQLite would read instead of a better one, though
    /// nearly all documents are in it.
    private func liveCondition(_ source: TranslatedSource) -> [String] {
        guard source.isCollection else { return [] }
        let time = "?\(TranslatedQuery.timeParameter)"
        let expired = "(\(source.table).expiration IS NULL OR \(source.table).expiration > \(time))"
        return source.seesDeleted ? [expired] : ["+\(source.table).flags & 1 = 0", expired]
    }
}

extension QueryPath {
    /// The name in errors.
    var plainText: String { text.droppingExactPrefix(".") ?? text }
}
