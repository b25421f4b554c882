import Testing

@testable import DocumentStore

/// A limit of time ends a query whose functions take long, although SQLite goes only a few steps. The time is over from the
/// beginning, so that the first look at the clock ends the query.
@Suite struct FunctionWorkTests: NotesSuite {
    let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    private func query(_ text: String) throws -> Query {
        let query = try database.createQuery(text)
        query.timeLimit = .zero
        return query
    }

    /// Too short for looks of its own.
    private static let text = String(repeating: "a", count: 3_000)
    private static let tens = [String](repeating: "t", count: 20).joined(separator: ", ")

    /// What takes no work has no look at the clock: otherwise the other tests would show nothing.
    @Test(arguments: ["SELECT t FROM notes", "SELECT UPPER(n) FROM notes WHERE n = 'x'"])
    func aShortQueryDoesNotLook(text: String) throws {
        try notes.put("a", ["t": Self.text, "n": "x"])
        #expect(try query(text).execute().readAll().count == 1)
    }

    @Test(arguments: [
        "SELECT REGEXP_CONTAINS(t, '(a*)*b') FROM notes", "SELECT 1 FROM notes WHERE t LIKE '%aaaaaaaaaaab%'",
        "SELECT UPPER(t) FROM notes", "SELECT t LIKE 'A%' COLLATE (UNICODE NOCASE) FROM notes",
        "SELECT t = 'b' COLLATE UNICODE FROM notes", "SELECT [\(tens)] FROM notes",
        "SELECT {'a': [\(tens)], 'b': t} FROM notes",
        "SELECT \(tens.replacing(", ", with: " || ")) || \(tens.replacing(", ", with: " || ")) FROM notes",
        "SELECT 1 FROM notes WHERE ANY x IN [\(tens)] SATISFIES REGEXP_LIKE(x, '(a*)*b') END",
    ])
    func oneDocumentIsEnough(text: String) throws {
        try notes.put("a", ["t": Self.text])
        let query = try query(text)
        #expect(performing: { try query.execute() }, throws: isCode(.timedOut))
        // Also with the connection of a batch, which goes on.
        try database.inBatch {
            #expect(performing: { try query.execute() }, throws: isCode(.timedOut))
            try notes.put("b", ["t": Self.text])
        }
        #expect(try notes.document(id: "b") != nil)
        #expect(try database.createQuery("SELECT COUNT(*) FROM notes").execute().next()?.int(at: 0) == 2)
    }

    /// A collation cannot fail: the rows that SQLite has all the same are of no use.
    @Test(arguments: ["SELECT t FROM notes ORDER BY t COLLATE UNICODE", "SELECT ARRAY_AGG(t) FROM notes"])
    func severalDocumentsAreEnough(text: String) throws {
        try database.inBatch { for number in 0..<20 { try notes.put("\(number)", ["t": Self.text + "\(number)"]) } }
        #expect(performing: { try query(text).execute() }, throws: isCode(.timedOut))
        let unlimited = try database.createQuery(text)
        #expect(try !unlimited.execute().readAll().isEmpty)
    }

    /// SQLite copies and compares the texts itself, but our functions find them in the documents.
    @Test(arguments: [
        "SELECT 1 FROM notes AS a JOIN notes AS b ON a.t = b.t", "SELECT t FROM notes",
        "SELECT x FROM notes AS n UNNEST n.list AS x", "SELECT 1 FROM notes WHERE 'b' IN list",
        "SELECT t FROM notes ORDER BY t LIMIT 1",
    ])
    func largeDocumentsAreEnough(text: String) throws {
        let large = String(repeating: "a", count: 100_000)
        try notes.put("a", ["t": large, "list": [large]])
        #expect(performing: { try query(text).execute() }, throws: isCode(.timedOut))
    }

    @Test func frequentTermsAreEnough() throws {
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["t"]))
        try notes.put("a", ["t": String(repeating: "valve ", count: 650)])
        let text = "SELECT META().id FROM notes WHERE MATCH(words, 'valve') ORDER BY RANK(words)"
        #expect(performing: { try query(text).execute() }, throws: isCode(.timedOut))
        #expect(try database.createQuery(text).execute().readAll().count == 1)
    }

    @Test func cancellingEndsACallOfAFunction() throws {
        try notes.put("a", ["t": Self.text])
        let query = try database.createQuery("SELECT REGEXP_CONTAINS(t, '(a*)*b') FROM notes")
        let reader = try query.begin(try database.core())
        reader.interrupt()
        #expect(throws: CancellationError.self) { try reader.read(1) }
        withExtendedLifetime(reader) {}
    }
}
