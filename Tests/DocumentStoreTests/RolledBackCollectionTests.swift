import DocumentStore
import Foundation
import Testing

/// Collections that a batch makes or deletes, and that is then taken back.
@Suite struct RolledBackCollectionTests {
    private struct Slip: Error {}

    let folder: TestFolder
    let database: Database

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
    }

    /// Who still holds it does not write into one that was made since.
    @Test func aCollectionThatNeverWasIsNoOther() throws {
        var held: Collection?
        #expect(throws: Slip.self) {
            try database.inBatch {
                held = try database.createCollection(name: "salaries")
                throw Slip()
            }
        }
        let salaries = try #require(held)
        let open = try database.createCollection(name: "public")
        #expect(salaries != open)
        #expect(performing: { try salaries.put("boss", ["pay": 1]) }, throws: isCode(.notOpen))
        #expect(try open.documentIDs().isEmpty)
    }

    /// The documents that the outer batch saved before are there, with their numbers.
    @Test func aDeletionInsideAnotherBatchIsTakenBackWhole() throws {
        let collection = try database.createCollection(name: "inspections")
        try database.inBatch {
            for number in 0..<5 { try collection.put("a\(number)", [:]) }
            do {
                try database.inBatch {
                    try database.deleteCollection(name: "inspections")
                    throw Slip()
                }
            } catch is Slip {}
        }
        #expect(collection.count == 5)
        try collection.put("later", [:])
        #expect(try collection.documentIDs() == ["a0", "a1", "a2", "a3", "a4", "later"])
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
        let again = try #require(try folder.open().collection(name: "inspections"))
        try again.put("last", [:])
        #expect(again.count == 7)
    }
}
