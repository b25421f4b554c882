import DocumentStore
import Foundation
import Testing

@Suite struct CollectionSavingTests {
    let folder: TestFolder
    let database: Database
    let collection: Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.createCollection(name: "inspections", scope: "field")
    }

    @Test func aSavedDocumentIsReadBackAsItWas() throws {
        let document = MutableDocument(id: "a")
            .setString("Nadel", forKey: "name").setInt(7, forKey: "count").setDouble(2.5, forKey: "ratio")
            .setBoolean(true, forKey: "open").setValue(nil, forKey: "nothing")
            .setDate(Date(timeIntervalSince1970: 1_700_000_000.25), forKey: "when")
            .setArray(MutableArrayObject(data: [1, "two", [3]]), forKey: "list")
            .setDictionary(MutableDictionaryObject(data: ["street": "Weg"]), forKey: "address")
        try collection.save(document: document)

        let read = try #require(try collection.document(id: "a"))
        #expect(read.string(forKey: "name") == "Nadel")
        #expect(read.int(forKey: "count") == 7)
        #expect(read.double(forKey: "ratio") == 2.5)
        #expect(read.boolean(forKey: "open"))
        #expect(read.value(forKey: "nothing") is NSNull)
        #expect(read.date(forKey: "when") == Date(timeIntervalSince1970: 1_700_000_000.25))
        #expect(read["list"][2][0].int == 3)
        #expect(read["address"]["street"].string == "Weg")
        #expect(read.keys == ["name", "count", "ratio", "open", "nothing", "when", "list", "address"])
        #expect(read == document && read.revisionID == document.revisionID && read.sequence == 1)
        #expect(read.timestamp > 0)
    }

    @Test func typedGettersHaveDefaultsForMissingAndOtherTypes() throws {
        let document = MutableDocument(data: ["text": "x", "number": 3])
        #expect(document.int(forKey: "text") == 0 && document.int(forKey: "missing") == 0)
        #expect(document.double(forKey: "text") == 0 && document.float(forKey: "missing") == 0)
        #expect(!document.boolean(forKey: "text") && document.boolean(forKey: "number"))
        #expect(document.string(forKey: "number") == nil && document.date(forKey: "text") == nil)
        #expect(document.array(forKey: "text") == nil && document.dictionary(forKey: "text") == nil)
        #expect(document.blob(forKey: "text") == nil && document.number(forKey: "text") == nil)
        #expect(document.contains(key: "text") && !document.contains(key: "missing"))
    }

    @Test func editsOfNestedContainersReachTheDocument() throws {
        let document = MutableDocument(id: "a", data: ["site": ["name": "old", "tags": ["x"]]])
        document.dictionary(forKey: "site")?.setString("new", forKey: "name")
        document.dictionary(forKey: "site")?.array(forKey: "tags")?.addString("y")
        document["site"]["tags"][0].string = "z"
        document["site"]["missing"]["deeper"].string = "nowhere"
        try collection.save(document: document)
        #expect(document.toJSON() == #"{"site":{"name":"new","tags":["z","y"]}}"#)
        #expect(try collection.document(id: "a")?.toJSON() == document.toJSON())
    }

    @Test func aMutableCopyLeavesTheOriginalAlone() throws {
        try collection.put("a", ["list": [1]])
        let read = try #require(try collection.document(id: "a"))
        let copy = read.toMutable()
        copy.array(forKey: "list")?.addInt(2)
        #expect(read["list"].array?.count == 1 && copy["list"].array?.count == 2)
    }

    @Test func revisionsFollowOneAnother() throws {
        let document = try collection.put("a", ["n": 1])
        #expect(document.revisionID?.hasPrefix("1-") == true)
        try collection.save(document: document)
        #expect(document.revisionID?.hasPrefix("2-") == true && document.sequence == 2)
        try collection.delete(document: document)
        #expect(document.revisionID?.hasPrefix("3-") == true)
        #expect(try collection.document(id: "a") == nil)
        #expect(collection.count == 0)
        try collection.put("a", ["n": 2])
        #expect(try collection.document(id: "a")?.revisionID?.hasPrefix("4-") == true)
        #expect(collection.count == 1)
    }

    @Test func equalContentHasEqualRevisionsInAnyOrderOfMembers() throws {
        let first = MutableDocument(id: "a")
        try first.setJSON(#"{"a":1,"b":{"d":2,"c":[3]}}"#)
        let second = MutableDocument(id: "b")
        try second.setJSON(#"{"b":{"c":[3],"d":2},"a":1}"#)
        try collection.save(document: first)
        try collection.save(document: second)
        #expect(first.revisionID == second.revisionID)
    }

    @Test func lastWriteWinsUnlessAskedToFail() throws {
        let mine = try collection.put("a", ["by": "me"])
        let theirs = try #require(try collection.document(id: "a")).toMutable()
        theirs.setString("them", forKey: "by")
        try collection.save(document: theirs)

        mine.setString("me again", forKey: "by")
        #expect(try !collection.save(document: mine, concurrencyControl: .failOnConflict))
        #expect(try collection.document(id: "a")?.string(forKey: "by") == "them")
        #expect(try !collection.delete(document: mine, concurrencyControl: .failOnConflict))
        try collection.save(document: mine)
        #expect(try collection.document(id: "a")?.string(forKey: "by") == "me again")
        #expect(mine.revisionID?.hasPrefix("3-") == true)
    }

    @Test func aConflictHandlerMayMergeOrDecline() throws {
        let mine = try collection.put("a", ["n": 1])
        try collection.put("a", ["n": 10])
        mine.setInt(2, forKey: "n")
        #expect(try !collection.save(document: mine) { _, _ in false })
        let saved = try collection.save(document: mine) { document, other in
            document.setInt(document.int(forKey: "n") + (other?.int(forKey: "n") ?? 0), forKey: "n")
            return true
        }
        #expect(saved)
        #expect(try collection.document(id: "a")?.int(forKey: "n") == 12)
    }

    @Test func aConflictHandlerSeesADeletionAsNothing() throws {
        let mine = try collection.put("a", ["n": 1])
        try collection.delete(document: try #require(try collection.document(id: "a")))
        var other: Document?? = .none
        #expect(
            try collection.save(document: mine) {
                other = $1
                return true
            })
        #expect(other == .some(.none))
        #expect(try collection.document(id: "a") != nil)
    }

    /// A deletion has a revision to go on from; after a purge nothing is left, and the document must not come back by itself.
    @Test func aDocumentThatWasPurgedIsNotSavedByAConflictHandler() throws {
        let mine = try collection.put("a", ["n": 1])
        try collection.purge(id: "a")
        var calls = 0
        let error = #expect(throws: StoreError.self) {
            try collection.save(document: mine) { _, _ in
                calls += 1
                return true
            }
        }
        #expect(error?.code == .notFound && error?.hint != nil && calls == 0)
        #expect(try collection.document(id: "a") == nil)
        // It may also go while the handler decides.
        let other = try collection.put("b", ["n": 1])
        try collection.put("b", ["n": 2])
        let purged = #expect(throws: StoreError.self) {
            try collection.save(document: other) { _, _ in
                do { try collection.purge(id: "b") } catch { Issue.record(error) }
                return true
            }
        }
        #expect(purged?.code == .notFound)
        #expect(try collection.document(id: "b") == nil)
    }

    /// It saves the document itself, so what is there is another revision each time.
    @Test func aConflictHandlerIsAskedTenTimes() throws {
        let mine = try collection.put("a", ["n": 1])
        try collection.put("a", ["n": 10])
        var calls = 0
        let error = #expect(throws: StoreError.self) {
            try collection.save(document: mine) { document, _ in
                calls += 1
                do { try collection.save(document: document) } catch { Issue.record(error) }
                return true
            }
        }
        #expect(error?.code == .conflict && calls == 10)
    }

    private struct Full: Error {}

    /// Somebody tries again when there is room.
    @Test func aBatchThatIsRolledBackLeavesItsDocumentsAsTheyWere() throws {
        let new = MutableDocument(id: "new", data: ["n": 1])
        let (changed, deleted) = (try collection.put("changed", ["n": 1]), try collection.put("deleted", ["n": 1]))
        let former = [changed.revisionID, deleted.revisionID]
        #expect(throws: Full.self) {
            try database.inBatch {
                for document in [new, changed, changed] {
                    #expect(try collection.save(document: document, concurrencyControl: .failOnConflict))
                }
                #expect(try collection.delete(document: deleted, concurrencyControl: .failOnConflict))
                throw Full()
            }
        }
        #expect(new.revisionID == nil && new.sequence == 0 && new.timestamp == 0 && new.collection == nil)
        #expect([changed.revisionID, deleted.revisionID] == former)
        for document in [new, changed] {
            #expect(try collection.save(document: document, concurrencyControl: .failOnConflict))
        }
        #expect(try collection.delete(document: deleted, concurrencyControl: .failOnConflict))
        #expect(collection.count == 2)
    }

    @Test func aConflictThatIsRolledBackIsAskedAboutAgain() throws {
        let mine = try collection.put("a", ["by": "me"])
        let former = mine.revisionID
        #expect(throws: Full.self) {
            try database.inBatch {
                try collection.put("a", ["by": "them"])
                #expect(try collection.save(document: mine) { _, _ in true })
                throw Full()
            }
        }
        #expect(mine.revisionID == former)
        #expect(try collection.save(document: mine) { _, _ in false }, "nobody else has changed it")
    }

    @Test(arguments: ["", "_private", String(repeating: "x", count: 241), "tab\tin", "bell\u{7}"])
    func impossibleIDsAreRefused(id: String) {
        #expect(throws: (any Error).self) { try collection.save(document: MutableDocument(id: id, data: [:])) }
    }

    @Test func idsAreComparedByteByByte() throws {
        try collection.put("caf\u{E9}", ["form": "composed"])
        try collection.put("cafe\u{301}", ["form": "decomposed"])
        #expect(collection.count == 2)
        #expect(try collection.document(id: "caf\u{E9}")?.string(forKey: "form") == "composed")
    }

    @Test(arguments: ["_id", "_rev", "_cv", "_deleted", "_sync", "_sync_x", "_exp"])
    func reservedMembersAreRefused(name: String) {
        #expect(performing: { try collection.put("a", [name: 1]) }, throws: isCode(.invalidParameter))
    }

    /// Others would get something else, or nothing at all.
    @Test(arguments: ["1", "{}", #"{"x":{"data":"AAAA"}}"#, #"{"x":{"stub":true}}"#])
    func attachmentsThatNoGatewayKeepsAreRefused(json: String) throws {
        let document = try MutableDocument(id: "a", json: #"{"_attachments":\#(json)}"#)
        #expect(performing: { try collection.save(document: document) }, throws: isCode(.invalidParameter))
    }

    @Test(arguments: ["_anything", "_syncable", "_"]) func otherMembersWithAnUnderscoreAreKept(
        name: String
    ) throws {
        try collection.put("a", [name: 1])
        #expect(try collection.document(id: "a")?.int(forKey: name) == 1)
    }

    @Test func unsavedDocumentsCannotBeDeletedOrPurged() {
        let document = MutableDocument(id: "a")
        #expect(performing: { try collection.delete(document: document) }, throws: isCode(.notFound))
        #expect(performing: { try collection.purge(document: document) }, throws: isCode(.notFound))
        #expect(performing: { try collection.purge(id: "a") }, throws: isCode(.notFound))
    }

    @Test func aDocumentOfAnotherCollectionIsRefused() throws {
        let document = try collection.put("a", [:])
        let other = try database.createCollection(name: "other")
        let error = #expect(throws: StoreError.self) { try other.save(document: document) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message == "Cannot operate on a document from another collection.")
    }

    @Test func purgingForgetsTheDocumentAndItsHistory() throws {
        let document = try collection.put("a", ["n": 1])
        try collection.purge(document: document)
        #expect(try collection.document(id: "a") == nil && collection.count == 0)
        try collection.put("a", ["n": 2])
        #expect(try collection.document(id: "a")?.revisionID?.hasPrefix("1-") == true)
    }

    @Test func sequencesAreNeverUsedAgain() throws {
        let first = try collection.put("a", [:])
        try collection.purge(document: first)
        let second = try collection.put("b", [:])
        #expect(second.sequence > first.sequence)
        try database.close()
        let reopened = try #require(try folder.open().collection(name: "inspections", scope: "field"))
        try reopened.purge(id: "b")
        #expect(try reopened.put("c", [:]).sequence > second.sequence)
    }

    @Test func aSubscriptLooksIntoADocument() throws {
        try collection.put("a", ["site": ["name": "x"]])
        #expect(collection["a"]["site"]["name"].string == "x")
        #expect(!collection["b"].exists && collection["b"]["site"].string == nil)
    }

    @Test func publishedErrorNumbersAreKept() throws {
        try database.close()
        do {
            _ = try collection.document(id: "a")
            Issue.record("a closed database was read")
        } catch {
            let error = error as NSError
            #expect(error.domain == CBLError.domain && error.code == CBLError.notOpen)
        }
    }
}
