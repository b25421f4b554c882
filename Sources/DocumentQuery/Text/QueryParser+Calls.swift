extension QueryParser {
    /// The arguments in parentheses behind a name, if the name is a function's; otherwise nothing is read.
    mutating func readCall(_ name: String, isQuoted: Bool) throws(QueryError) -> QueryExpression? {
        let start = cursor.position
        cursor.skipSpace()
        guard cursor.current == UInt8(ascii: "(") else {
            cursor.position = start
            return nil
        }
        let function = name.uppercased()
        if !isQuoted {
            switch function {
            case "META": return try readMeta()
            case "MATCH": return try readMatch()
            case "RANK": return try readRank()
            case "EXISTS": return try readExists()
            default: break
            }
        }
        guard FunctionCatalog.isKnown(function) else { throw cursor.fail(ofFunction: function) }
        cursor.position += 1
        let arguments = try readArguments(function)
        return try FunctionCatalog.call(function, arguments: arguments.values, isDistinct: arguments.isDistinct)
    }

    private mutating func readArguments(_ function: String) throws(QueryError) -> CallArguments {
        var arguments = CallArguments()
        if FunctionCatalog.isAggregate(function), cursor.take(word: "DISTINCT") { arguments.isDistinct = true }
        if !arguments.isDistinct, cursor.take(")") { return arguments }
        repeat { arguments.values.append(try readExpression()) } while cursor.take(",")
        try cursor.expect(")")
        return arguments
    }

    private mutating func readMeta() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        var alias: String?
        if !cursor.take(")") {
            guard let name = cursor.takeName() else { throw cursor.fail() }
            alias = name
            try cursor.expect(")")
        }
        let start = cursor.position
        guard cursor.take(".") else {
            cursor.position = start
            return .meta(alias: alias, key: nil)
        }
        guard let key = cursor.takeName() else { throw cursor.fail() }
        return .meta(alias: alias, key: key)
    }

    private mutating func readIndexName() throws(QueryError) -> QueryPath {
        guard let name = cursor.takeName() else { throw cursor.fail() }
        guard cursor.take(".") else { return QueryPath(keys: [name]) }
        guard let inner = cursor.takeName() else { throw cursor.fail() }
        return QueryPath(keys: [name, inner])
    }

    private mutating func readMatch() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        let index = try readIndexName()
        try cursor.expect(",")
        let text = try readExpression()
        try cursor.expect(")")
        return .match(index: index, text: text)
    }

    private mutating func readRank() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        let index = try readIndexName()
        try cursor.expect(")")
        return .rank(index: index)
    }

    private mutating func readExists() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        try cursor.expect(word: "SELECT")
        let statement = try nested { parser throws(QueryError) in try parser.readSelect() }
        guard !statement.sources.isEmpty else { throw cursor.fail() }
        try cursor.expect(")")
        return .exists(statement)
    }
}

private struct CallArguments {
    var values: [QueryExpression] = []
    var isDistinct = false
}
