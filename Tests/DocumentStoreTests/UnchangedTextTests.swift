import DocumentStore
import Foundation
import Testing

/// A document that is made of JSON and saved as it is is not taken apart; what is stored is the same as if it were.
@Suite struct UnchangedTextTests {
    private struct Slip: Error {}

    let folder: TestFolder
    let database: Database
    let collection: Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.createCollection(name: "inspections")
    }

    /// An id says what the content is, whatever the document was made of.
    @Test(arguments: [
        #"{"b":1,"a":{"d":1,"c":[{"z":1,"y":2}]}}"#, #"{ "b" : "\u0041\/", "a":[] }"#, #"{"b":1,"a":2,"b":3}"#, "{}",
        #"{"é":"<&>","a\n":"\"\\"}"#,
    ])
    func textAndMembersMakeTheSameRevision(json: String) throws {
        let text = try MutableDocument(id: "text", json: json)
        let members = try MutableDocument(id: "members", json: json)
        members.setValue(1, forKey: "another").removeValue(forKey: "another")
        try collection.save(document: text)
        try collection.save(document: members)
        #expect(text.revisionID == members.revisionID)
        #expect(try collection.document(id: "text")?.toJSON() == collection.document(id: "members")?.toJSON())
    }

    @Test func aChangeInsideIsSaved() throws {
        let document = try MutableDocument(id: "a", json: #"{"list":[1],"inner":{"n":1},"n":1}"#)
        document.array(forKey: "list")?.addInt(2)
        document["inner"]["n"].int = 2
        try collection.save(document: document)
        #expect(try collection.document(id: "a")?.toJSON() == #"{"list":[1,2],"inner":{"n":2},"n":1}"#)
        let copy = try #require(try collection.document(id: "a")).toMutable()
        copy.setInt(2, forKey: "n")
        try collection.save(document: copy)
        #expect(try collection.document(id: "a")?.toJSON() == #"{"list":[1,2],"inner":{"n":2},"n":2}"#)
    }

    @Test(arguments: [#"{"_id":"a"}"#, #"{"\u005fid":"a"}"#, #"{"_attachments":{}}"#])
    func reservedMembersAreRefused(json: String) throws {
        let document = try MutableDocument(id: "a", json: json)
        #expect(performing: { try collection.save(document: document) }, throws: isCode(.invalidParameter))
    }

    @Test func textThatNamesABlobNobodyHasIsRefused() throws {
        let digest = "sha1-" + String(repeating: "A", count: 27) + "="
        let document = try MutableDocument(
            id: "a", json: #"{"photo":{"@type":"blob","digest":"\#(digest)","length":3}}"#)
        #expect(performing: { try collection.save(document: document) }, throws: isCode(.missingBlob))
    }

    // MARK: Documents that are new

    @Test func aNewDocumentReplacesWhatIsThere() throws {
        try database.inBatch {
            for number in 0..<3 { try collection.save(document: MutableDocument(id: "a", json: #"{"n":\#(number)}"#)) }
            let late = try MutableDocument(id: "a", json: "{}")
            #expect(try !collection.save(document: late, concurrencyControl: .failOnConflict))
            try collection.save(document: MutableDocument(id: "b", json: "{}"))
        }
        let stored = try #require(try collection.document(id: "a"))
        #expect(stored.toJSON() == #"{"n":2}"# && stored.revisionID?.hasPrefix("3-") == true && stored.sequence == 3)
        #expect(try collection.document(id: "b")?.sequence == 4)
        #expect(collection.count == 2)
    }

    @Test func aNewDocumentFollowsADeletion() throws {
        try collection.delete(document: collection.put("a", ["n": 1]))
        try collection.save(document: MutableDocument(id: "a", json: "{}"))
        #expect(try collection.revisionHistory(id: "a").count == 3)
        #expect(collection.count == 1)
    }

    @Test func newDocumentsOfABatchGoWithIt() throws {
        let first = try MutableDocument(id: "first", json: "{}")
        let inner = try MutableDocument(id: "inner", json: "{}")
        try database.inBatch {
            try collection.save(document: first)
            #expect(throws: Slip.self) {
                try database.inBatch {
                    try collection.save(document: inner)
                    throw Slip()
                }
            }
        }
        #expect(first.revisionID != nil && inner.revisionID == nil && collection.count == 1)
        #expect(try collection.documentIDs() == ["first"])
        try collection.save(document: inner)
        #expect(inner.sequence == 2)
    }
}
