import DocumentQuery
import DocumentValues
import Testing

/// Which expressions of a query are found in an index, without a database.
struct IndexedExpressionsTests {
    /// The default collection, with indexes of its values.
    private final class IndexedEnvironment: QueryEnvironment {
        let databaseName = "test"
        private let indexes: [TranslatedValueIndex]
        private(set) var lookUps = 0

        init(_ indexes: [(expressions: String, condition: String?)]) throws {
            self.indexes = try indexes.map {
                try IndexTranslator.valueIndex($0.expressions, condition: $0.condition, collection: .default)
            }
        }

        func collection(_ name: CollectionName) -> Int64? { name == .default ? 1 : nil }
        func collectionNames() -> [CollectionName] { [.default] }
        func fullTextIndex(_ name: String, collection: Int64) -> FullTextTable? { nil }
        func arrayIndexes(collection: Int64) -> [ArrayIndexTable] { [] }

        func valueIndexes(collection: Int64) -> [TranslatedValueIndex] {
            lookUps += 1
            return indexes
        }
    }

    private func translated(_ text: String, in environment: IndexedEnvironment) throws -> TranslatedQuery {
        try StatementTranslator.translate(try QueryParser.statement(text), environment: environment)
    }

    @Test func allPartsOfATranslationLookThemUpOnce() throws {
        let environment = try IndexedEnvironment([("ANY x IN tags SATISFIES x > 4 END, n", nil)])
        let condition = "ANY x IN tags SATISFIES x > 4 END AND EVERY y IN tags SATISFIES y > 1 END"
        _ = try translated("SELECT n FROM _ WHERE \(condition) ORDER BY m LIMIT 3", in: environment)
        #expect(environment.lookUps == 1)
    }

    /// Rows are tested where no index has the property by which they are sorted, in any position or for some documents.
    @Test(arguments: [
        ("SELECT a FROM _ ORDER BY n LIMIT 3", false), ("SELECT a FROM _ ORDER BY m LIMIT 3", false),
        ("SELECT n AS a FROM _ ORDER BY a LIMIT 3", false), ("SELECT v.a FROM _ AS v ORDER BY v.n LIMIT 3", false),
        ("SELECT b.c AS b FROM _ ORDER BY b LIMIT 3", false), ("SELECT a FROM _ ORDER BY a LIMIT 3", true),
        ("SELECT b.c AS b FROM _ ORDER BY b.n LIMIT 3", false), ("SELECT a AS n FROM _ ORDER BY n LIMIT 3", true),
        ("SELECT n.a FROM _ AS n ORDER BY n.a LIMIT 3", true),
    ])
    func propertiesThatRowsAreSortedBy(text: String, isTested: Bool) throws {
        let environment = try IndexedEnvironment([("k, n", nil), ("m, b.c", "k > 1")])
        #expect(try (translated(text, in: environment).firstRows != nil) == isTested)
    }

    /// DISTINCT is of the keys of an index of all documents that begins with the property.
    @Test(arguments: [
        ("SELECT DISTINCT k FROM _", true), ("SELECT DISTINCT n FROM _", false), ("SELECT DISTINCT m FROM _", false),
        ("SELECT DISTINCT v.k AS n FROM _ AS v ORDER BY n", true), ("SELECT DISTINCT k.a FROM _", false),
    ])
    func propertiesThatAreDistinct(text: String, isOfKeys: Bool) throws {
        let environment = try IndexedEnvironment([("k, n", nil), ("m", "k > 1")])
        #expect(try translated(text, in: environment).sql.contains("CROSS JOIN (VALUES") == isOfKeys)
    }
}
