import DocumentQuery
import DocumentValues
import GRDB
import Testing

@testable import DocumentStore

/// The values that an index has of an ANY with a function that may fail. A query does not take them from there, since it has
/// to fail itself.
@Suite struct QuantifierIndexValueTests: NotesSuite {
    let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    /// The documents for which the index has the value.
    private func ids(with value: Int, of expression: String) throws -> [String] {
        let index = try IndexTranslator.valueIndex(expression, condition: nil, collection: notes.collectionName)
        return try database.core().read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM documents_\(notes.number) INDEXED BY "slow" \
                    WHERE \(index.expressions[0]) = \(value) ORDER BY +id
                    """)
        }
    }

    /// As functions of an index do; see `IndexTests.whatAFunctionFailsForIsMissingInAnIndex`.
    @Test func whatAFunctionFailsForIsNotTrue() throws {
        let expression = "ANY x IN tags SATISFIES REGEXP_CONTAINS(x, '(a*)*b') END"
        let slow = String(repeating: "a", count: 40)
        try notes.put("before", ["tags": [slow]])
        try notes.createIndex(withName: "slow", config: ValueIndexConfiguration([expression]))
        try notes.put("after", ["tags": [slow]])
        try notes.put("other element", ["tags": [slow, "ab"]])
        try notes.put("true", ["tags": ["ab"]])
        #expect(try ids(with: 1, of: expression) == ["other element", "true"])
        #expect(try ids(with: 0, of: expression) == ["after", "before"])
        #expect(throws: StoreError.self) {
            try database.createQuery("SELECT META().id FROM notes WHERE \(expression)").execute().allResults()
        }
        try database.performMaintenance(type: .integrityCheck)
    }
}
