import DocumentQuery
import DocumentValues
import Testing

/// The judge is judged: what the interpreter of the rules has for recorded queries is what was recorded.
struct RuleInterpreterTests {
    private static let families = [
        "operators", "logic", "compare", "like", "between-in-case", "any-every", "literals", "paths", "columns",
        "func-cond", "func-type", "func-string", "func-array", "func-math", "params",
    ]

    @Test func recordings() throws {
        let queries = try Self.families.flatMap { try RecordedQuery.all($0) }
        let documents = try RecordedQuery.dataset()
        var differences: [String] = []
        var (compared, leftOpen) = (0, 0)
        for query in queries where !query.isQuirk && query.error == nil && query.match != "count" {
            guard let text = query.text, let statement = try? QueryParser.statement(text),
                let source = statement.onlyCollection
            else { continue }
            let bodies = documents.filter { $0["collection"]?.stringValue == source }.compactMap { $0["body"] }
            do {
                let rows = try rows(statement, of: bodies, query: query)
                compared += 1
                let recorded = try #require(query.expectation["rows"]?.arrayValue).map { row in
                    (row.arrayValue ?? []).map { RuleValue(recorded: $0) }
                }
                guard !isSame(rows, as: recorded) else { continue }
                differences.append("\(query.id): \(text)\n    \(rows)\n    \(recorded)")
            } catch RuleError.unspecified {
                leftOpen += 1
            }
        }
        #expect(compared > 500, "\(compared), \(leftOpen) left open")
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    private func rows(
        _ statement: SelectStatement, of documents: [JSONValue], query: RecordedQuery
    ) throws -> [[RuleValue]] {
        let source = statement.sources.first?.alias ?? statement.onlyCollection ?? ""
        let parameters = (query.json["parameters"]?.objectValue ?? [:]).members.map {
            RuleMember(key: $0.key, value: RuleValue($0.value))
        }
        return try documents.compactMap { document in
            let interpreter = RuleInterpreter(
                document: RuleValue(document), source: source, parameters: parameters)
            if let condition = statement.condition {
                guard try interpreter.isKept(by: condition) else { return nil }
            }
            return try statement.columns.map { column in
                let value = try interpreter.value(column.readExpression)
                return column.alias == nil ? RuleColumns.value(value, of: column.expression) : value
            }
        }
    }

    /// In any order.
    private func isSame(_ rows: [[RuleValue]], as recorded: [[RuleValue]]) -> Bool {
        let (rows, recorded) = (rows.map { "\($0)" }.sorted(), recorded.map { "\($0)" }.sorted())
        return rows == recorded
    }

    // MARK: Rules that no recording shows alone

    @Test(arguments: [
        ("'1e3x' + 0", "1000.0"), ("'.5' + 0", "0.5"), ("'5.' + 0", "5.0"), ("'1e' + 0", "1"), ("'-' + 1", "1"),
        ("' 7' * 2", "14"), ("-7 % 3", "-1"), ("7 % 0.5", "MISSING"),
        ("9223372036854775807 + 1", "9.223372036854776e+18"),
        ("-9223372036854775808 / -1", "9.223372036854776e+18"), ("1e308 * 10 - 1e308 * 10", "MISSING"),
        ("[1, 2.0] = [1.0, 2]", "0"), ("{'a': 1, 'b': 2} = {'b': 2, 'a': 1}", "1"), ("[TRUE] = [1]", "0"),
        ("9007199254740993 = 9007199254740992.0", "0"), ("9223372036854775807 < 9.223372036854776e18", "1"),
        ("MISSING IN []", "NULL"), ("1 IN {'k': 1}", "1"), ("MISSING NOT IN [1]", "MISSING"),
        ("5 BETWEEN MISSING AND 1", "0"), ("CASE MISSING WHEN MISSING THEN 1 ELSE 2 END", "2"),
        ("'a%b' LIKE 'a\\%b'", "1"), ("'a' LIKE 'a\\'", "0"), ("NULL NOT LIKE '%'", "1"),
        ("EVERY x IN MISSING SATISFIES FALSE END", "1"), ("ANY AND EVERY x IN [] SATISFIES TRUE END", "0"),
        ("ANY x IN 'abc' SATISFIES x = 'abc' END", "true"), ("EVERY x IN [1] SATISFIES MISSING END", "1"),
        ("TONUMBER(' 12 ')", "12"), ("TONUMBER('12 a')", "12.0"), ("ROUND(2.45, 1)", "2.5"), ("- 0.0", "-0.0"),
        ("-(0.0 + 0)", "0.0"), ("LEAST(TRUE, 1)", "true"), ("$flag", "1.0"), ("$nothing IS MISSING", "1"),
    ])
    func rules(text: String, value: String) throws {
        let parameters = RandomExpressions.parameters.members.map {
            RuleMember(key: $0.key, value: RuleValue($0.value))
        }
        let interpreter = RuleInterpreter(document: .object([]), source: "docs", parameters: parameters)
        let result = try interpreter.value(try QueryParser.expression(text))
        #expect("\(result)" == value)
    }

    @Test func whatTheRulesLeaveOpenHasNoValue() throws {
        let interpreter = RuleInterpreter(document: .object([]), source: "docs")
        for text in ["[1] < [2]", "GREATEST({}, [])", "POWER(10, 400) || ''", "META().id", "COUNT(*)"] {
            #expect(throws: RuleError.self) { try interpreter.value(try QueryParser.expression(text)) }
        }
    }
}

extension SelectStatement {
    /// The name of its collection, where the statement has nothing but columns and a condition.
    fileprivate var onlyCollection: String? {
        guard sources.count == 1, case .collection(let parts) = sources[0].content, parts.count == 1,
            ["one", "mixed"].contains(parts[0]), !isDistinct, grouping.isEmpty, order.isEmpty, limit == nil,
            offset == nil
        else { return nil }
        return parts[0]
    }
}

extension ResultColumn {
    /// A text alone is a property.
    fileprivate var readExpression: QueryExpression {
        guard alias == nil, case .literal(.string(let text)) = expression, let path = QueryPath(parsing: text) else {
            return expression
        }
        return .property(path)
    }
}

extension RuleValue {
    /// As the recordings spell what JSON does not have.
    fileprivate init(recorded json: JSONValue) {
        if json["$missing"] != nil {
            self = .missing
        } else if json["$double"] == "Infinity" {
            self = .double(.infinity)
        } else {
            self.init(json)
        }
    }
}
