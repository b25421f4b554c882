import DocumentValues

/// Reads a query in its JSON form: `["SELECT", {"WHAT": [[".name"]], "WHERE": ["=", [".age"], 7]}]`, the object alone, or a
/// condition alone.
package enum JSONQueryReader {
    package static func statement(_ text: String) throws(QueryError) -> SelectStatement {
        guard text.utf8.count <= QueryLimits.text else {
            throw QueryError("The query is longer than \(QueryLimits.text) bytes")
        }
        let query: JSONValue
        do { query = try JSONValue(parsing: Array(text.utf8)) } catch { throw QueryError("query syntax error") }
        switch query {
        case .array(let parts):
            if case .string("SELECT")? = parts.first { return try statement(parts: parts) }
            return try statement(of: ["WHERE": query])
        case .object(let object): return try statement(of: object)
        case .null, .bool, .number, .string: throw QueryError("query syntax error")
        }
    }

    /// - Parameter reader: where the statement is inside another one.
    static func statement(
        parts: [JSONValue], reader: JSONExpressionReader = .top
    ) throws(QueryError) -> SelectStatement {
        guard parts.count == 2, case .object(let object) = parts[1] else {
            throw QueryError("Wrong number of arguments to SELECT")
        }
        return try statement(of: object, reader: reader)
    }

    /// Members of other names mean nothing.
    private static func statement(
        of object: JSONObject, reader: JSONExpressionReader = .top
    ) throws(QueryError) -> SelectStatement {
        var statement = SelectStatement(columns: [], sources: [])
        statement.isDistinct = object["DISTINCT"]?.boolValue ?? false
        for column in try list(object, key: "WHAT") ?? [] { statement.columns.append(try reader.column(column)) }
        if statement.columns.isEmpty {
            statement.columns = SelectStatement.defaultColumns
        }
        for source in try list(object, key: "FROM") ?? [] {
            statement.sources.append(try self.source(source, isFirst: statement.sources.isEmpty, reader: reader))
        }
        if statement.sources.isEmpty { statement.sources = [QuerySource(.collection([CollectionName.default.name]))] }
        statement.condition = try reader.optional(object["WHERE"])
        for key in try list(object, key: "GROUP_BY") ?? [] { statement.grouping.append(try reader.expression(key)) }
        statement.groupCondition = try reader.optional(object["HAVING"])
        for term in try list(object, key: "ORDER_BY") ?? [] { statement.order.append(try reader.term(term)) }
        statement.limit = try reader.optional(object["LIMIT"])
        statement.offset = try reader.optional(object["OFFSET"])
        return statement
    }

    private static func list(_ object: JSONObject, key: String) throws(QueryError) -> [JSONValue]? {
        guard let value = object[key] else { return nil }
        guard case .array(let elements) = value else { throw QueryError("\(key) must be an array") }
        return elements
    }

    private static func source(
        _ value: JSONValue, isFirst: Bool, reader: JSONExpressionReader
    ) throws(QueryError) -> QuerySource {
        guard case .object(let source) = value else { throw QueryError("FROM item must be a dictionary") }
        let alias = source["AS"]?.stringValue
        let condition = try reader.optional(source["ON"])
        if let list = source["UNNEST"] {
            return QuerySource(.elements(of: try reader.expression(list)), alias: alias, joining: .unnest)
        }
        var parts = (source["COLLECTION"]?.stringValue ?? CollectionName.default.name)
            .utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
        if let scope = source["SCOPE"]?.stringValue { parts = [scope] + parts }
        return QuerySource(
            .collection(parts), alias: alias,
            joining: isFirst ? .first : try joining(source["JOIN"], hasCondition: condition != nil),
            condition: condition)
    }

    private static func joining(
        _ value: JSONValue?, hasCondition: Bool
    ) throws(QueryError) -> QuerySource.Joining {
        guard let value else { return hasCondition ? .inner : .cross }
        switch value.stringValue?.uppercased() {
        case "INNER": return .inner
        case "LEFT", "LEFT OUTER": return .left
        case "CROSS": return .cross
        default: throw QueryError("Unknown JOIN type \"\(value.stringValue ?? value.description)\"")
        }
    }
}
