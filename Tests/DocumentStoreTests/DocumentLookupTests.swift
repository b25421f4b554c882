import DocumentStore
import Foundation
import Synchronization
import Testing

/// A document that is asked for by its id is found without a transaction; what is seen is the same.
@Suite struct DocumentLookupTests {
    private struct Slip: Error {}

    let folder: TestFolder
    let database: Database
    let collection: Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.createCollection(name: "inspections")
        try collection.put("a", ["n": 1])
        // From some number of them on there is a connection for it.
        for _ in 0..<2 * StoreLimits.readsBeforeLookups { #expect(try collection.document(id: "a")?["n"].int == 1) }
    }

    @Test func eachReadSeesWhatWasSavedBefore() throws {
        for number in 2..<20 {
            try collection.put("a", ["n": number])
            #expect(try collection.document(id: "a")?["n"].int == number)
        }
        try collection.purge(id: "a")
        #expect(try collection.document(id: "a") == nil)
    }

    @Test func aBatchSeesItsOwnSavesAndOthersDoNot() throws {
        #expect(throws: Slip.self) {
            try database.inBatch {
                try collection.put("a", ["n": 2])
                #expect(try collection.document(id: "a")?["n"].int == 2)
                let seen = Arrivals<Int?>()
                let read = DispatchSemaphore(value: 0)
                Thread.detachNewThread { [collection] in
                    seen.add((try? collection.document(id: "a"))??["n"].int)
                    read.signal()
                }
                #expect(read.wait(timeout: .now() + 20) == .success)
                throw Slip()
            }
        }
        #expect(try collection.document(id: "a")?["n"].int == 1)
    }

    @Test func anotherConnectionsChangesAreSeen() throws {
        let other = try #require(try folder.open().collection(name: "inspections"))
        try other.put("a", ["n": 7])
        #expect(try collection.document(id: "a")?["n"].int == 7)
    }

    @Test func aDeletedCollectionHasNone() throws {
        try database.deleteCollection(name: "inspections")
        #expect(performing: { _ = try collection.document(id: "a") }, throws: isCode(.notOpen))
        let again = try database.createCollection(name: "inspections")
        #expect(try again.document(id: "a") == nil)
        try again.put("a", ["n": 3])
        #expect(try again.document(id: "a")?["n"].int == 3)
        #expect(performing: { _ = try collection.document(id: "a") }, throws: isCode(.notOpen))
    }

    @Test func aNewIndexIsInNobodysWay() throws {
        try collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
        #expect(try collection.document(id: "a")?["n"].int == 1)
    }

    @Test func manyThreadsReadAtOnce() throws {
        for number in 0..<50 { try collection.put("b\(number)", ["n": number]) }
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 400) { [collection] number in
            let found = (try? collection.document(id: "b\(number % 50)")) ?? nil
            if found?["n"].int != number % 50 { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func aClosedDatabaseHasNone() throws {
        try database.close()
        #expect(performing: { _ = try collection.document(id: "a") }, throws: isCode(.notOpen))
        try folder.open().delete()
    }
}
