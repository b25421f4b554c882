import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// What an index is of, as it is written into the database.
@Suite struct IndexDefinitionTests {
    private static let definitions = [
        #"{"type":"value","expressions":"name,LOWER(city)"}"#,
        #"{"type":"value","expressions":"name","where":"n > 1"}"#,
        #"{"type":"array","path":"tags"}"#,
        #"{"type":"array","path":"visits[].findings","expressions":"severity,text"}"#,
        #"{"type":"fulltext","expressions":"title"}"#,
        #"{"type":"fulltext","expressions":"title,text","where":"n > 1","language":"en","ignoreAccents":true}"#,
    ]

    @Test(arguments: definitions) func aDefinitionIsReadAsItIsWritten(text: String) throws {
        let json = try JSONObject(parsing: Array(text.utf8))
        #expect(IndexDefinition(json)?.json == json)
    }

    /// A newer version may have kinds of which this one knows nothing.
    @Test(arguments: [
        "{}", #"{"type":"later","expressions":"n"}"#, #"{"type":"value"}"#, #"{"type":"array","expressions":"n"}"#,
        #"{"type":"fulltext"}"#, #"{"type":"value","expressions":["n"]}"#, #"{"type":5,"expressions":"n"}"#,
        #"{"type":"array","path":7}"#,
    ])
    func whatLacksSomethingIsNone(text: String) throws {
        #expect(IndexDefinition(try JSONObject(parsing: Array(text.utf8))) == nil)
    }
}

/// Indexes as they are listed, and when one is another than before.
@Suite struct DefinedIndexTests: NotesSuite {
    let fixture: NotesFixture

    init() throws {
        fixture = try NotesFixture()
        for id in ["a", "b"] { try notes.put(id, ["n": 1, "title": "leaking pipe", "tags": ["wet", "cold"]]) }
    }

    @Test func configurationsAreListedAsTheyWereGiven() throws {
        let indexes: [(name: String, config: any IndexConfiguration, definition: String)] = [
            ("a", ValueIndexConfiguration(["n", "title"]), #"{"type":"value","expressions":"n,title"}"#),
            ("b", ValueIndexConfiguration(["n"], where: ""), #"{"type":"value","expressions":"n"}"#),
            (
                "c", ValueIndexConfiguration(["n"], where: "n > 1"),
                #"{"type":"value","expressions":"n","where":"n > 1"}"#
            ),
            ("d", ArrayIndexConfiguration(path: "tags"), #"{"type":"array","path":"tags"}"#),
            ("e", ArrayIndexConfiguration(path: "tags", expressions: []), #"{"type":"array","path":"tags"}"#),
            ("f", ArrayIndexConfiguration(path: "tags", expressions: [""]), #"{"type":"array","path":"tags"}"#),
            (
                "g", ArrayIndexConfiguration(path: "visits", expressions: ["site", "n"]),
                #"{"type":"array","path":"visits","expressions":"site,n"}"#
            ),
            ("h", FullTextIndexConfiguration(["title"]), #"{"type":"fulltext","expressions":"title"}"#),
            (
                "i", FullTextIndexConfiguration(["title"], where: "n = 1", ignoreAccents: true, language: "en"),
                #"{"type":"fulltext","expressions":"title","where":"n = 1","language":"en","ignoreAccents":true}"#
            ),
        ]
        for (name, config, _) in indexes.reversed() { try notes.createIndex(withName: name, config: config) }
        let listed = try notes.indexDefinitions()
        #expect(listed.map(\.name) == indexes.map(\.name), "in the order of their names")
        for (found, index) in zip(listed, indexes) {
            #expect(found.definition.description == index.definition, "\(index.name)")
        }
        #expect(try notes.indexes() == indexes.map(\.name))
    }

    @Test func theBuildersIndexesAreThoseOfTheirText() throws {
        let (n, title) = (Expression.property("n"), Expression.property("title"))
        let condition = n.greaterThan(Expression.int(1))
        try notes.createIndex(
            IndexBuilder.valueIndex(items: .property("n"), .expression(Function.lower(title))).where(condition),
            name: "v")
        try notes.createIndex(
            IndexBuilder.fullTextIndex(items: [.property("title"), .expression(n)]).language("en").ignoreAccents(true),
            name: "t")
        let listed = try notes.indexDefinitions().map { "\($0.name) \($0.definition)" }
        #expect(
            listed == [
                #"t {"type":"fulltext","expressions":"title,n","language":"en","ignoreAccents":true}"#,
                #"v {"type":"value","expressions":"n,LOWER(title)","where":"(n > 1)"}"#,
            ])
    }

    private typealias Expression = DocumentStore.Expression

    // MARK: The same and others

    private func number(of name: String) throws -> Int64? {
        try database.core().read { db in try IndexCatalog.find(name, db)?.number }
    }

    @Test func theSameIndexIsLeftAsItIs() throws {
        let config = FullTextIndexConfiguration(["title"])
        try notes.createIndex(withName: "texts", config: config)
        let first = try number(of: "texts")
        try notes.createIndex(withName: "texts", config: config)
        #expect(try number(of: "texts") == first && first != nil)
        try notes.createIndex(withName: "texts", config: FullTextIndexConfiguration(["title"], language: "en"))
        #expect(try number(of: "texts") != first && notes.indexes() == ["texts"])
    }

    /// Of another kind, or of another collection.
    @Test func anotherIndexReplacesTheFirst() throws {
        let other = try database.createCollection(name: "other")
        try notes.createIndex(withName: "x", config: ArrayIndexConfiguration(path: "tags"))
        try notes.createIndex(withName: "x", config: ValueIndexConfiguration(["n"]))
        #expect(try notes.indexDefinitions().map { "\($0.definition)" } == [#"{"type":"value","expressions":"n"}"#])
        try other.createIndex(withName: "x", config: FullTextIndexConfiguration(["title"]))
        #expect(try notes.indexes() == [] && other.indexes() == ["x"])
        #expect(try notes.index(withName: "x") == nil && other.index(withName: "x")?.collection == other)
        // Nothing is left of those that were replaced.
        let tables = try database.core().read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE name LIKE 'index\\_%' ESCAPE '\\' AND sql LIKE 'CREATE TABLE%'"
            )
        }
        #expect(!tables.contains { $0.hasSuffix("_documents") } && tables.count <= 5, "\(tables)")
        try notes.deleteIndex(forName: "x")
        #expect(try other.indexes() == ["x"], "it is of another collection")
        try other.deleteIndex(forName: "x")
        try other.deleteIndex(forName: "x")
        #expect(try other.indexes() == [])
    }

    @Test(arguments: ["", "documents_x", "INDEX_1", "sqlite_x", "a\"b", "a\0b"]) func namesOfItsOwnAreRefused(
        name: String
    ) throws {
        let error = #expect(throws: StoreError.self) {
            try notes.createIndex(withName: name, config: ValueIndexConfiguration(["n"]))
        }
        #expect(error?.code == .invalidParameter && error?.message.isEmpty == false)
        #expect(try notes.indexes() == [])
    }

    @Test(arguments: ["collections", "Properties", "outbox"]) func namesOfTablesAreRefused(name: String) throws {
        let error = #expect(throws: StoreError.self) {
            try notes.createIndex(withName: name, config: ValueIndexConfiguration(["n"]))
        }
        #expect(error?.code == .invalidParameter && error?.context["index"] == name)
        #expect(error?.hint == "The database uses it itself.")
    }

    @Test func namesDifferByMoreThanCase() throws {
        try notes.createIndex(withName: "Numbers", config: ValueIndexConfiguration(["n"]))
        let error = #expect(throws: StoreError.self) {
            try notes.createIndex(withName: "numbers", config: ValueIndexConfiguration(["title"]))
        }
        #expect(error?.code == .invalidParameter && error?.context["index"] == "Numbers")
        #expect(error?.hint == "Names of indexes differ by more than case.")
        try notes.deleteIndex(forName: "numbers")
        #expect(try notes.indexes() == ["Numbers"])
    }

    /// Names with blanks, in other scripts, or that SQL would read.
    @Test(arguments: ["two parts", "caf\u{E9}", "cafe\u{301}", "a'b", "x); --", "SELECT"]) func otherNamesAreTaken(
        name: String
    ) throws {
        try notes.createIndex(withName: name, config: ValueIndexConfiguration(["n"]))
        try notes.createIndex(withName: "\(name)2", config: ArrayIndexConfiguration(path: "tags"))
        #expect(try notes.indexes().count == 2 && notes.index(withName: name)?.name.isExactly(name) == true)
        #expect(try database.createQuery("SELECT META().id FROM notes WHERE n = 1").execute().allResults().count == 2)
        try notes.put("c", ["n": 1, "tags": ["wet"]])
        try database.performMaintenance(type: .integrityCheck)
        try notes.deleteIndex(forName: name)
        #expect(try notes.indexes().count == 1)
    }

    // MARK: What cannot be made

    @Test(arguments: ["n +", "", "COUNT(n)", "$p", "nope(n)", "STR_TO_MILLIS(n)"]) func whatIsNoExpressionMakesNoIndex(
        text: String
    ) throws {
        try notes.createIndex(withName: "x", config: ValueIndexConfiguration(["title"]))
        #expect(
            performing: {
                try notes.createIndex(withName: "x", config: ValueIndexConfiguration([text]))
            }, throws: isCode(.invalidQuery))
        let listed = try notes.indexDefinitions().map { "\($0.definition)" }
        #expect(listed == [#"{"type":"value","expressions":"title"}"#], "the one that was there stays")
    }

    @Test func ofWhatIsGoneNoIndexIsMade() throws {
        try database.deleteCollection(name: "notes")
        #expect(
            performing: {
                try notes.createIndex(withName: "x", config: ValueIndexConfiguration(["n"]))
            }, throws: isCode(.notOpen))
        #expect(performing: { try notes.deleteIndex(forName: "x") }, throws: isCode(.notOpen))
        try database.close()
        #expect(performing: { try notes.indexes() }, throws: isCode(.notOpen))
        #expect(performing: { try notes.index(withName: "x") }, throws: isCode(.notOpen))
    }
}
