import DocumentValues

/// The SQL of a full-text index.
package struct TranslatedFullTextIndex: Sendable, Hashable {
    /// The properties whose words are in it.
    package let properties: [QueryPath]
    /// The condition for documents in the index, by the name of their row; `nil` for all documents.
    private let conditions: [String: String]?

    init(properties: [QueryPath], conditions: [String: String]?) {
        self.properties = properties
        self.conditions = conditions
    }

    /// The names of the rows in the statements of an index.
    static let rows = ["d", "old", "new"]

    /// Whether a row is in the index.
    ///
    /// - Parameter row: `d`, `old` or `new`.
    package func condition(_ row: String) -> String {
        "\(row).flags & 1 = 0" + (conditions?[row].map { " AND (\($0))" } ?? "")
    }

    package var hasCondition: Bool { conditions != nil }

    /// The indexed texts of a row, a column for each property.
    package func texts(of row: String) -> [String] {
        properties.map { "fb_indexed(\(row).body, \(SQLText.quoted($0.text)))" }
    }

    /// As MATCH names them.
    package var names: [String] { properties.map(\.plainText) }
}

extension IndexTranslator {
    /// - Parameter expressions: properties, such as `title, body`.
    package static func fullTextIndex(
        _ expressions: String, condition: String?, collection: CollectionName
    ) throws -> TranslatedFullTextIndex {
        let noProperty = QueryError("FTS index expression must be a property")
        let columns: [QueryExpression]
        let parsed: QueryExpression?
        do throws(QueryError) { (columns, parsed) = try QueryParser.index(expressions, condition: condition) } catch {
            // A property with another name behind it is not a property.
            throw error.message == "Unknown operator 'AS'" ? noProperty : error
        }
        let properties = try columns.map { column throws in
            switch column {
            case .property(let path): return path
            case .literal: throw QueryError("FTS index expression must be an array")
            case .all: throw QueryError("invalid property expression")
            default: throw noProperty
            }
        }
        guard let parsed else { return TranslatedFullTextIndex(properties: properties, conditions: nil) }
        var conditions: [String: String] = [:]
        for row in TranslatedFullTextIndex.rows {
            var translator = StatementTranslator(forIndexOf: collection.name, row: row)
            conditions[row] = try translator.sqlOfIndexCondition(parsed)
        }
        return TranslatedFullTextIndex(properties: properties, conditions: conditions)
    }
}
