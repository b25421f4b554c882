import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Files whose counters and names of collections no version of the program has written.
@Suite struct HostileCounterTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let database = try folder.open()
        try database.defaultCollection().put("a", ["n": 1])
        try database.createCollection(name: "other").put("b", ["n": 2])
        try database.close()
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func problems(_ database: DocumentStore.Database) throws -> [String] {
        var problems: [String] = []
        try database.check { problems.append($0.text) }
        return problems
    }

    @Test(arguments: [
        "UPDATE collections SET last_sequence = 9223372036854775807 WHERE id = 1",
        "UPDATE collections SET last_sequence = 5, live_documents = 9223372036854775807 WHERE id = 1",
        "UPDATE collections SET last_sequence = 5, live_documents = -9223372036854775808 WHERE id = 1",
        "UPDATE documents_1 SET sequence = 9223372036854775807",
        "UPDATE documents_1 SET live_documents = 9223372036854775807",
    ])
    func aCollectionWithCountersThatMakeNoSenseIsOnlyRead(sql: String) throws {
        try change(sql)
        let database = try folder.open()
        let damaged = try database.defaultCollection()
        #expect(try damaged.document(id: "a")?.int(forKey: "n") == 1)
        let writes: [() throws -> Void] = [{ _ = try damaged.put("new", [:]) }, { try damaged.purge(id: "a") }]
        for write in writes {
            let error = #expect(throws: StoreError.self) { try write() }
            #expect(error?.code == .corruptData && error?.context["collection"] == "_default._default")
            #expect(error?.hint?.contains("can be read") == true)
        }
        let found = try problems(database)
        #expect(found.contains("_default._default has counters that no collection can reach"), "\(found)")
        // The others go on.
        let other = try #require(try database.collection(name: "other"))
        try other.put("c", [:])
        #expect(other.count == 2)
        try database.close()
    }

    @Test(arguments: ["", "%no", "a.b"]) func oneImpossibleNameClosesNoOtherCollection(name: String) throws {
        try change("UPDATE collections SET name = '\(name)' WHERE name = 'other'")
        let database = try folder.open()
        #expect(try database.allCollections().map(\.name) == ["_default"])
        try database.defaultCollection().put("b", [:])
        #expect(try database.defaultCollection().count == 2)
        #expect(
            try problems(database) == ["the collection _default.\(name) has a name that no collection can have"])
        try database.close()
    }
}
