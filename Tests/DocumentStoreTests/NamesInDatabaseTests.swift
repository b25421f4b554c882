import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Names of scopes, collections and documents at their limits, in a file.
@Suite struct NamesInDatabaseTests {
    private let folder: TestFolder
    private let database: Database
    private static let longest = String(repeating: "n", count: 251)

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
    }

    @Test func theLongestNamesAreKept() throws {
        let collection = try database.createCollection(name: Self.longest, scope: Self.longest)
        try collection.put(String(repeating: "\u{E9}", count: 120), ["n": 1])
        #expect(collection.fullName.utf8.count == 503)
        try database.close()
        let again = try folder.open()
        let found = try #require(try again.collection(name: Self.longest, scope: Self.longest))
        #expect(try found.documentIDs() == [String(repeating: "\u{E9}", count: 120)])
        #expect(try again.scopes().map(\.name) == ["_default", Self.longest])
        #expect(
            try again.createQuery("SELECT n FROM \(Self.longest).\(Self.longest)").execute().allResults().count == 1)
        try again.performMaintenance(type: .integrityCheck)
    }

    @Test func othersAreRefusedWithTheRule() throws {
        let names = [
            Self.longest + "n", "", "_x", "%x", "a b", "a.b", "a/b", "a\u{0}", "a\u{301}", "\u{212A}", "\u{FF41}",
            "caf\u{E9}", "a\n",
        ]
        for name in names {
            let calls: [() throws -> Void] = [
                { _ = try database.createCollection(name: name) },
                { _ = try database.createCollection(name: "c", scope: name) },
                { _ = try database.collection(name: name) }, { try database.deleteCollection(name: name) },
            ]
            for call in calls {
                let error = #expect(throws: StoreError.self, "\(name)") { try call() }
                #expect(error?.code == .invalidParameter && error?.underlying is NameError, "\(name)")
                #expect(error?.message.contains("use letters, digits, '_', '-' and '%', at most 251") == true)
            }
        }
        #expect(try database.scopes().map(\.name) == ["_default"])
    }

    @Test func namesDifferByCaseAndMarks() throws {
        let names = ["a", "A", "a-", "a_", "a%", "0", "-"]
        for name in names { try database.createCollection(name: name, scope: name).put("x", ["name": name]) }
        #expect(try database.scopes().map(\.name) == (names + ["_default"]).sorted())
        for name in names {
            let collection = try #require(try database.collection(name: name, scope: name))
            #expect(collection["x"]["name"].string == name && collection.count == 1)
            #expect(try database.collections(scope: name).map(\.name) == [name])
        }
        try database.deleteCollection(name: "A", scope: "A")
        #expect(try database.collection(name: "a", scope: "a") != nil && database.scope(name: "A") == nil)
    }

    /// `nil` is the default scope, as Couchbase Lite has it.
    @Test func noScopeIsTheDefaultOne() throws {
        let made = try database.createCollection(name: "c", scope: nil)
        #expect(made.scope.name == "_default" && made.fullName == "_default.c")
        #expect(try database.collection(name: "c", scope: nil) == made && database.collections(scope: nil).count == 2)
        try database.deleteCollection(name: "c", scope: nil)
        #expect(try database.collection(name: "c") == nil)
        #expect(
            performing: { try database.createCollection(name: "_default", scope: "s") },
            throws: isCode(.invalidParameter))
    }

    @Test func aScopeIsThereAsLongAsItHasACollection() throws {
        for name in ["b", "a"] { _ = try database.createCollection(name: name, scope: "s") }
        let scope = try #require(try database.scope(name: "s"))
        #expect(try scope.collections().map(\.name) == ["a", "b"] && scope.collection(name: "a")?.scope == scope)
        try database.deleteCollection(name: "a", scope: "s")
        #expect(try database.scope(name: "s") != nil && scope.collections().map(\.name) == ["b"])
        try database.deleteCollection(name: "b", scope: "s")
        #expect(
            try database.scope(name: "s") == nil && scope.collections().isEmpty && scope.collection(name: "b") == nil)
        try database.close()
        for call in [
            { _ = try scope.collections() }, { _ = try scope.collection(name: "a") },
            { _ = try database.defaultScope() },
            { _ = try database.defaultCollection() }, { _ = try database.createCollection(name: "c") },
            { try database.deleteCollection(name: "c") },
        ] as [() throws -> Void] { #expect(performing: { try call() }, throws: isCode(.notOpen)) }
    }

    @Test(arguments: [
        ("x", true), (String(repeating: "x", count: 240), true), (String(repeating: "x", count: 241), false),
        (" ", true),
        ("a/b?c#d%20", true), ("é\u{301}", true), ("\"'`;--", true), ("", false), ("_", false), ("a\u{0}b", false),
        ("a\u{7F}", false), ("\n", false), ("😀", true),
    ])
    func idsOfDocumentsAreBytes(id: String, isOne: Bool) throws {
        let notes = try database.defaultCollection()
        let document = MutableDocument(id: id, data: ["n": 1])
        guard isOne else {
            let error = #expect(throws: StoreError.self) { try notes.save(document: document) }
            #expect(error?.code == .badDocumentID && error?.context["document"] == id)
            #expect(
                performing: { try notes.save(bodies: [(id: id, body: Array("{}".utf8))]) },
                throws: isCode(.badDocumentID))
            return #expect(notes.count == 0)
        }
        try notes.save(document: document)
        #expect(try notes.documentIDs() == [id] && notes.document(id: id)?.int(forKey: "n") == 1)
        let query = try database.createQuery("SELECT n FROM _ WHERE META().id = $id")
        query.parameters = Parameters().setString(id, forName: "id")
        #expect(try query.execute().allResults().count == 1)
        try notes.purge(id: id)
        #expect(notes.count == 0)
    }

    /// The text names the path, so that somebody finds what is meant.
    @Test func aDatabaseIsNotOpenedUnderAPath() throws {
        for name in ["", ".", "..", "a/b", "a\u{0}b"] {
            let error = #expect(throws: StoreError.self) { try folder.open(name) }
            #expect(error?.code == .invalidParameter && error?.context["name"] == name)
            #expect(!Database.exists(withName: name, inDirectory: folder.url.path))
            #expect(
                performing: { try Database.delete(withName: name, inDirectory: folder.url.path) },
                throws: isCode(.invalidParameter))
        }
        for name in [" ", "a b", "é", "a.fieldbook", String(repeating: "x", count: 200)] {
            let database = try folder.open(name)
            #expect(database.name == name && Database.exists(withName: name, inDirectory: folder.url.path))
            try database.delete()
        }
        let error = #expect(throws: StoreError.self) { try folder.open(String(repeating: "x", count: 300)) }
        #expect(error?.context["path"] != nil && error?.code != .unexpected)
    }
}
