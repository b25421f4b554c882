import DocumentQuery
import DocumentStore
import DocumentValues
import Foundation
import Testing

/// A database of random documents, in a folder that is removed with it; its queries are compared with the rules.
final class RandomDatabase {
    static let source = "docs"
    static let documents = 20

    /// What an expression is otherwise than the rules have it.
    struct Difference {
        let expression: QueryExpression
        let document: JSONObject?
        let ours: String
        let rules: String
    }

    private let database: Database
    private let folder: URL
    private let documents: [JSONObject]
    private let interpreters: [RuleInterpreter]
    /// How many values were compared, and how many the rules leave open.
    private(set) var compared = 0
    private(set) var leftOpen = 0

    init(seed: UInt64) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("random-\(seed)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        database = try Database(name: "random", config: configuration)
        var random = RandomDocuments(seed: seed)
        documents = (0..<Self.documents).map { _ in random.next() }
        let parameters = RandomExpressions.parameters.members.map {
            RuleMember(key: $0.key, value: RuleValue($0.value))
        }
        interpreters = documents.map {
            RuleInterpreter(document: RuleValue(.object($0)), source: Self.source, parameters: parameters)
        }
        let collection = try database.createCollection(name: Self.source)
        try database.inBatch {
            for (number, body) in documents.enumerated() {
                try collection.save(document: MutableDocument(id: "\(number)", json: body.description))
            }
        }
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Indexes

    static let indexedCall = QueryExpression.call("LOWER", [.property(QueryPath(keys: ["s"]))])

    /// Of members, several at once, a function, and of some documents only.
    func createIndexes() throws {
        let collection = try database.createCollection(name: Self.source)
        let lists =
            RandomDocuments.names.map { [$0] } + [["s", "d"], ["i", "m", "a"], [QueryWriter.text(Self.indexedCall)]]
        for (number, expressions) in lists.enumerated() {
            try collection.createIndex(withName: "index\(number)", config: ValueIndexConfiguration(expressions))
        }
        try collection.createIndex(
            withName: "some", config: ValueIndexConfiguration(["k", "i"], where: "i IS NOT NULL AND s > 'a'"))
    }

    // MARK: Queries

    /// The rows, the number of its document in front of each.
    private func rows(
        _ columns: [ResultColumn], where condition: QueryExpression? = nil
    ) throws -> [(document: Int, values: [RuleValue])] {
        let id = ResultColumn(.meta(alias: nil, key: "id"), alias: "id")
        let statement = SelectStatement(
            columns: [id] + columns, sources: [QuerySource(.collection([Self.source]))], condition: condition)
        let query = try database.createQuery(QueryWriter.text(statement))
        query.parameters = RandomExpressions.parameters(of: statement)
        let results = try query.execute()
        let rows = results.allResults().map { $0.columnValues.map { RuleValue(column: $0) } }
        if let error = results.error { throw error }
        return try rows.map { row in
            (document: try #require(row.first?.text.flatMap { Int($0) }), values: Array(row.dropFirst()))
        }
    }

    // MARK: Comparing

    /// As columns of one query, every other one with an alias.
    func compareColumns(_ expressions: [QueryExpression]) throws -> [Difference] {
        let columns = expressions.enumerated().map { number, expression in
            ResultColumn(expression, alias: number % 2 == 0 || expression.isText ? "r\(number)" : nil)
        }
        var differences: [Difference] = []
        for row in try rows(columns) {
            for (column, ours) in zip(columns, row.values) {
                guard let rules = try rules(column, document: row.document), !ours.isIdentical(to: rules) else {
                    continue
                }
                differences.append(difference(column.expression, document: row.document, ours: ours, rules: rules))
            }
        }
        return differences
    }

    /// `nil` where the rules leave it open.
    private func rules(_ column: ResultColumn, document: Int) throws -> RuleValue? {
        do {
            let value = try interpreters[document].value(column.expression)
            compared += 1
            return column.alias == nil ? RuleColumns.value(value, of: column.expression) : value
        } catch RuleError.unspecified {
            leftOpen += 1
            return nil
        }
    }

    /// As a condition: which documents are found.
    func compareCondition(_ condition: QueryExpression) throws -> [Difference] {
        let found = try rows([], where: condition).map(\.document)
        var differences: [Difference] = []
        for (number, interpreter) in interpreters.enumerated() {
            do {
                let isKept = try interpreter.isKept(by: condition)
                compared += 1
                guard isKept != found.contains(number) else { continue }
                differences.append(
                    Difference(
                        expression: condition, document: documents[number],
                        ours: isKept ? "not found" : "found", rules: isKept ? "found" : "not found"))
            } catch RuleError.unspecified {
                leftOpen += 1
            }
        }
        return differences
    }

    /// The smallest part of the expression that differs, too, or the whole.
    private func difference(
        _ expression: QueryExpression, document: Int, ours: RuleValue, rules: RuleValue
    ) -> Difference {
        for part in expression.children {
            let column = ResultColumn(part, alias: "part")
            guard let row = try? self.rows([column]).first(where: { $0.document == document }),
                let own = row.values.first, let other = try? self.rules(column, document: document),
                !own.isIdentical(to: other)
            else { continue }
            return difference(part, document: document, ours: own, rules: other)
        }
        return Difference(
            expression: expression, document: documents[document], ours: "\(ours)", rules: "\(rules)")
    }
}

extension RandomDatabase.Difference: CustomStringConvertible {
    var description: String {
        """
        \(QueryWriter.text(expression))
            ours: \(ours)
            rules: \(rules)
            document: \(document?.description ?? "")
        """
    }
}

extension QueryExpression {
    /// A text alone as a column is a property.
    fileprivate var isText: Bool { if case .literal(.string) = self { true } else { false } }
}

extension RandomExpressions {
    /// Those that a statement mentions: to set another one is an error.
    static func parameters(of statement: SelectStatement) -> Parameters {
        let values = Parameters()
        for member in parameters.members {
            let isMentioned = statement.expressions.contains { expression in
                expression.contains { if case .parameter(member.key) = $0 { true } else { false } }
            }
            if isMentioned { values.setValue(member.value, forName: member.key) }
        }
        return values
    }
}
