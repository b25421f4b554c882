import DocumentValues

extension StatementTranslator {
    /// An expression for use in any position.
    mutating func sql(_ expression: QueryExpression) throws -> String { try piece(expression).whole }

    /// An expression for use between commas, parentheses and keywords.
    mutating func inner(_ expression: QueryExpression) throws -> String { try piece(expression).text }

    mutating func piece(_ expression: QueryExpression) throws -> SQLPiece {
        guard depth < QueryLimits.depth else { throw QueryError.tooDeep }
        depth += 1
        defer { depth -= 1 }
        return try translated(expression)
    }

    /// A condition at the top, to be joined with others by AND: its parts that AND joins may be full-text searches.
    mutating func sqlOfCondition(_ expression: QueryExpression) throws -> String {
        if case .binary(.and, let left, let right) = expression {
            guard depth < QueryLimits.depth else { throw QueryError.tooDeep }
            depth += 1
            defer { depth -= 1 }
            return "\(try sqlOfCondition(left)) AND \(try sqlOfCondition(right))"
        }
        if case .match(let index, let text) = expression, clause.allowsMatch { return try match(index, text: text) }
        if case .binary(.equal, let left, let right) = expression, let search = try identity(left, equals: right) {
            return search
        }
        if let search = try listSearch(expression) { return search }
        if let search = try indexedTruth(expression) { return search }
        let condition = try piece(expression).text(atLeast: .and)
        return try beginning(expression).map { "\($0) AND \(condition)" } ?? condition
    }

    /// A document's id, compared with a value that may not be a text: SQLite would convert it to one.
    private mutating func identity(_ left: QueryExpression, equals right: QueryExpression) throws -> String? {
        for (id, other) in [(left, right), (right, left)] {
            guard case .meta(let alias, "id") = id, other.isPropertyOrParameter else { continue }
            let source = try metaSource(alias)
            guard source.isCollection else { continue }
            let value = try inner(other)
            let search = "\(source.table).id = fb_text(\(value))"
            // A join may begin with the document of the id, if an index finds the other one.
            return try isBeginningOfIndex(other) ? "\(search) AND \(value) = +\(source.table).id" : search
        }
        return nil
    }

    /// Whether it is a property of one of several sources, with which an index begins.
    private mutating func isBeginningOfIndex(_ expression: QueryExpression) throws -> Bool {
        guard scope.hasSeveralSources, let property = documentProperty(expression, in: clause),
            let source = scope.sources.firstIndex(where: {
                $0.isCollection && bodyColumn($0).isExactly(property.document)
            }), case .collection(let collection, _) = scope.sources[source].content
        else { return false }
        return try indexedExpressions(of: collection).begin(with: asInIndex(property, source: source))
    }

    /// A search in a list that is the same for all rows: SQLite makes a table of the list once, and uses an index to find its
    /// values. In a condition MISSING counts as false.
    private mutating func listSearch(_ expression: QueryExpression) throws -> String? {
        guard !target.isIndex else { return nil }
        let (value, elements): (QueryExpression, String)
        switch expression {
        case .among(let wanted, let list, isNegated: false):
            if case .array = list { return nil }
            guard list.isConstant else { return nil }
            // No value is an element of something that is not a list.
            (value, elements) = (wanted, "fb_list(\(try keepingBooleans { try $0.inner(list) })), NULL")
        case .quantified(.any, let variable, let list, .binary(.equal, let element, let wanted)):
            guard QueryExpression.binary(.equal, element, wanted).isEquality(with: variable), list.isConstant else {
                return nil
            }
            guard clause.usedVariables.insert(Name(variable)).inserted else {
                throw QueryError("Variable '\(variable)' is already in use")
            }
            (value, elements) = (wanted, try translatedList(list).arguments)
        default: return nil
        }
        switch columnType(value) {
        case .text: return "\(try sql(value)) IN (SELECT fb_text(value) FROM fb_each(\(elements)))"
        case .integer: return "+\(try sql(value)) IN (SELECT value FROM fb_each(\(elements)))"
        case nil: return "\(try sql(value)) IN (SELECT value FROM fb_each(\(elements)))"
        }
    }

    /// Texts that fit a pattern that begins with letters are between two texts, which an index can find.
    private mutating func beginning(_ expression: QueryExpression) throws -> String? {
        guard case .like(let value, pattern: .literal(.string(let pattern)), isNegated: false) = expression,
            let range = LikeRange(pattern), isOfOneProperty(value)
        else { return nil }
        let text = try sql(value)
        return "\(text) >= \(SQLText.quoted(range.first)) AND \(text) < \(SQLText.quoted(range.end))"
    }

    /// Whether it is a document's id, a property, or a property in another case: computing these twice costs little.
    private func isOfOneProperty(_ value: QueryExpression) -> Bool {
        switch value {
        case .meta(_, "id"): return true
        case .property(let path): return document(of: path) != nil
        case .call("LOWER", let arguments), .call("UPPER", let arguments):
            guard case .property(let path)? = arguments.first else { return false }
            return document(of: path) != nil
        default: return false
        }
    }

    private mutating func translated(_ expression: QueryExpression) throws -> SQLPiece {
        switch expression {
        case .unary(.not, let operand):
            return SQLPiece("NOT \(try piece(operand).text(atLeast: .not))", strength: .not)
        case .binary(let operation, let left, let right):
            return try binary(operation, left: left, right: right, whole: expression)
        case .like(let value, let pattern, let isNegated):
            return try like(value, pattern: pattern, isNegated: isNegated, mayFail: expression.mayFail)
        case .among(let value, let list, let isNegated): return try among(value, list: list, isNegated: isNegated)
        case .quantified(let quantifier, let variable, let list, let condition):
            return try quantified(
                quantifier, variable: variable, list: list, condition: condition, whole: expression)
        default: return SQLPiece(try operand(expression))
        }
    }

    /// An operand, for use beside any operator.
    private mutating func operand(_ expression: QueryExpression) throws -> String {
        switch expression {
        case .missing: return "NULL"
        case .literal(let value): return literal(value)
        case .property(let path): return try property(path)
        case .parameter(let name): return try parameter(name)
        case .variable(let name, let path):
            guard let table = scope.variables[Name(name)] else { throw QueryError("Undefined variable '\(name)'") }
            return valueInside("\(table).value", path: path)
        case .array(let elements): return try container("fb_array", parts: try parts(elements), size: 100)
        case .object(let members):
            let values = try parts(members.map(\.value))
            return try container(
                "fb_object", parts: zip(members, values).map { "\(SQLText.quoted($0.key)), \($1)" }, size: 50)
        case .nested(let value, let path): return valueInside(try inner(value), path: path)
        case .unary(_, let operand): return "(- \(try sql(operand)))"
        case .between(let value, let low, let high, let isNegated):
            return try between(value, low: low, high: high, isNegated: isNegated)
        case .test(let value, let test, let isNegated): return try self.test(value, test: test, isNegated: isNegated)
        case .choice(let subject, let branches, let otherwise):
            return try choice(subject, branches: branches, otherwise: otherwise)
        case .call(let name, let arguments):
            return "\(function(name))(\(try parts(arguments).joined(separator: ", ")))"
        case .aggregate(let name, let arguments, let isDistinct):
            return try aggregate(name, arguments: arguments, isDistinct: isDistinct)
        case .meta(let alias, let key): return try meta(alias, key: key)
        case .all(let alias): return "fb_part(\(try body(of: alias)), '')"
        case .collated(let collation, let inner): return try collated(collation, inner: inner)
        case .match: throw QueryError("MATCH can only appear at top-level, or in a top-level AND")
        case .rank(let index): return try rank(index)
        case .exists(let statement):
            guard !target.isIndex else { throw QueryError("EXISTS cannot be in an index") }
            return "EXISTS (\(try select(statement).sql))"
        case .binary, .like, .among, .quantified: return try sql(expression)
        }
    }

    mutating func list(_ expressions: [QueryExpression]) throws -> String {
        guard expressions.count <= QueryLimits.list else {
            throw QueryError("A list of more than \(QueryLimits.list) expressions")
        }
        return try expressions.map { try inner($0) }.joined(separator: ", ")
    }

    /// The arguments of a function, or the parts of a container, with booleans kept as such.
    mutating func parts(_ expressions: [QueryExpression]) throws -> [String] {
        guard expressions.count <= QueryLimits.list else {
            throw QueryError("A list of more than \(QueryLimits.list) expressions")
        }
        return try keepingBooleans { translator in try expressions.map { try translator.inner($0) } }
    }

    /// Runs `write` for a part in which booleans must differ from 1 and 0.
    mutating func keepingBooleans<Value>(_ write: (inout StatementTranslator) throws -> Value) throws -> Value {
        let outside = clause.keepsBooleans
        clause.keepsBooleans = true
        defer { clause.keepsBooleans = outside }
        return try write(&self)
    }

    /// SQLite's functions take only some hundred arguments, so a large container is made in several parts.
    private func container(_ function: String, parts: [String], size: Int) throws -> String {
        guard parts.count > size else { return "\(function)(\(parts.joined(separator: ", ")))" }
        guard parts.count <= size * size else { throw QueryError("A list of more than \(size * size) expressions") }
        let pieces = stride(from: 0, to: parts.count, by: size).map {
            "\(function)(\(parts[$0..<min($0 + size, parts.count)].joined(separator: ", ")))"
        }
        return "fb_joined(\(pieces.joined(separator: ", ")))"
    }

    private func literal(_ value: JSONValue) -> String {
        switch value {
        case .null: "x''"
        case .bool(let bool): "\(kept("fb_boolean"))(\(bool ? 1 : 0))"
        case .number(let number): SQLText.number(number)
        case .string(let text): SQLText.quoted(text)
        case .array, .object: SQLText.blob(QueryValue(value).containerBytes)
        }
    }

    func valueInside(_ sql: String, path: QueryPath) -> String {
        path.steps.isEmpty ? sql : "\(kept("fb_nested"))(\(sql), \(SQLText.quoted(path.text)))"
    }

    // MARK: Functions

    /// Another name of a function of SQL, for where booleans are not numbers: by the usual name SQLite would read the
    /// values of an index, in which they are numbers.
    func kept(_ function: String) -> String { clause.keepsBooleans ? function + FunctionSpelling.keptEnding : function }

    /// The name that a function of the language has in SQL.
    private func function(_ name: String) -> String {
        if target.isIndex, FunctionCatalog.mayFail(name) { return FunctionSpelling.indexed(name.lowercased()) }
        let plain = "fb_\(name.lowercased())"
        return FunctionCatalog.mayBeBoolean(name) ? kept(plain) : plain
    }

    private mutating func aggregate(
        _ name: String, arguments: [QueryExpression], isDistinct: Bool
    ) throws -> String {
        guard clause.allowsAggregates, let function = FunctionCatalog.sql(ofAggregate: name) else {
            throw QueryError(
                "Cannot use aggregate function \(name)() in this context",
                advice: clause.kind.advice(onAggregate: name))
        }
        clause.allowsAggregates = false
        let outside = clause.keepsBooleans
        let isExtreme = FunctionCatalog.result(ofAggregate: name) == .extreme
        // SQLite would take the results of these from an index, in which booleans are numbers.
        clause.keepsBooleans = isExtreme
        defer {
            clause.allowsAggregates = true
            clause.keepsBooleans = outside
        }
        if name == "COUNT" {
            guard let argument = arguments.first else { return "count(*)" }
            if case .all(nil) = argument { return "count(*)" }
        }
        if isExtreme, scope.hasOneExtreme, case .property(let path)? = arguments.first,
            let (document, inner) = document(of: path)
        {
            // The second value is of the row with the extreme value, which an index finds.
            let value = "(\(document), \(SQLText.quoted(inner.text)))"
            return "fb_second(\(function)(fb_value\(value)), fb_part\(value))"
        }
        return "\(function)(\(isDistinct ? "DISTINCT " : "")\(try list(arguments)))"
    }
}

extension QueryExpression {
    fileprivate var isPropertyOrParameter: Bool {
        switch self {
        case .property, .parameter: true
        case .missing, .literal, .variable, .array, .object, .nested, .unary, .binary, .between, .among, .like, .test,
            .quantified, .choice, .call, .aggregate, .meta, .all, .match, .rank, .exists, .collated:
            false
        }
    }
}
