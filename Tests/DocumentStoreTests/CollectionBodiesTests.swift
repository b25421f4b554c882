import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Documents as JSON, many at once, for layers with types of their own.
@Suite struct CollectionBodiesTests {
    private let fixture: ReplicationFixture
    private var notes: DocumentStore.Collection { fixture.collection }

    init() throws { fixture = try ReplicationFixture() }

    private func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }

    /// c, a and b are there, `gone` is deleted, `late` has expired, `purged` is forgotten.
    private func fill() throws {
        for id in ["c", "a", "gone", "late", "b", "purged"] { try notes.put(id, ["id": id]) }
        try notes.delete(document: try #require(try notes.document(id: "gone")))
        try notes.database.inBatch {
            try notes.setDocumentExpiration(id: "late", expiration: Date(timeIntervalSinceNow: -1))
            try notes.purge(id: "purged")
        }
    }

    private func bodies() throws -> [String] {
        var found: [String] = []
        try notes.forEachBody { id, json in found.append("\(id) \(text(json))") }
        return found
    }

    @Test func onlyWhatIsThereIsGoneThrough() throws {
        try fill()
        let expected = ["a", "b", "c"].map { #"\#($0) {"id":"\#($0)"}"# }
        #expect(try bodies() == expected)
        var stored: [String] = []
        try notes.forEachStoredBody { body in
            let json = String(decoding: body.json, as: UTF8.self)
            #expect(String(decoding: body.idBytes, as: UTF8.self) == body.id)
            stored.append("\(body.id) \(json)")
        }
        #expect(stored == ["c", "a", "b"].map { #"\#($0) {"id":"\#($0)"}"# }, "the oldest change first")
        var documents: [String] = []
        try notes.forEachDocument { documents.append($0.id) }
        #expect(documents == ["a", "b", "c"])
        #expect(try notes.deletedIDs() == ["gone"])
    }

    /// Also at the borders of the portions in which they are read.
    @Test(arguments: [0, 1, StoreLimits.readBatch - 1, StoreLimits.readBatch, StoreLimits.readBatch + 1, 1_200])
    func eachIsReadOnce(count: Int) throws {
        let ids = (0..<count).map { "d\(1_000_000 + $0)" }
        try notes.save(bodies: ids.shuffled().map { (id: $0, body: Array(#"{"id":"\#($0)"}"#.utf8)) })
        #expect(try bodies() == ids.map { #"\#($0) {"id":"\#($0)"}"# })
        var changed: [String] = []
        let last = try notes.forEachBody(changedAfter: 0) { id, json in
            #expect(json != nil)
            changed.append(id)
        }
        #expect(Set(changed).count == count && changed.count == count)
        #expect(try UInt64(count) == last && notes.lastSequence() == last)
    }

    @Test func changesAreGoneThroughFromWhereOneWas() throws {
        try fill()
        var seen: [String] = []
        // An expired document is removed when its time has come, by the process that purges it.
        func follow(_ sequence: UInt64) throws -> UInt64 {
            seen = []
            return try notes.forEachBody(changedAfter: sequence) { id, json in
                if id != "late" { seen.append("\(id) \(json.map { text($0) } ?? "gone")") }
            }
        }
        let first = try follow(0)
        #expect(seen == [#"c {"id":"c"}"#, #"a {"id":"a"}"#, #"b {"id":"b"}"#, "gone gone"])
        #expect(try follow(first) == first && seen.isEmpty)
        try notes.put("a", ["n": 2])
        try notes.delete(document: try #require(try notes.document(id: "b")))
        let second = try follow(first)
        #expect(seen == [#"a {"n":2}"#, "b gone"] && second > first)
        #expect(try follow(.max) == .max && seen.isEmpty)
    }

    @Test func whatTheCallerThrowsEndsIt() throws {
        struct Enough: Error {}
        try fill()
        var count = 0
        #expect(throws: Enough.self) {
            try notes.forEachBody { _, _ in
                count += 1
                throw Enough()
            }
        }
        #expect(throws: Enough.self) {
            try notes.forEachStoredBody { _ in
                count += 1
                throw Enough()
            }
        }
        #expect(count == 2)
        try notes.put("later", [:])
        #expect(try bodies().count == 4, "nothing is left open")
    }

    @Test func bodiesAreFoundByTheirIDs() throws {
        try fill()
        let found = try notes.bodies(of: ["b", "none", "gone", "a", "a", ""])
        let expected = [#"{"id":"b"}"#, nil, "{}", #"{"id":"a"}"#, #"{"id":"a"}"#, nil]
        #expect(found.map { $0.map { text($0.body) } } == expected)
        #expect(found.map { $0?.isDeleted } == [false, nil, true, false, false, nil])
        #expect(try notes.bodies(of: []).isEmpty)
    }

    // MARK: Saving

    @Test func bodiesAreSavedInTheirSpelling() throws {
        let spelled = #"{ "b" : 1.50 , "a":"\u00e9" }"#
        try notes.save(bodies: [(id: "x", body: Array(spelled.utf8)), (id: "y", body: Array("{}".utf8))])
        #expect(try notes.bodies(of: ["x"]).map { $0.map { text($0.body) } } == [spelled])
        #expect(notes["x"]["b"].double == 1.5 && notes["x"]["a"].string == "é")
        // The id of a revision is that of its content.
        let same = try MutableDocument(id: "same", json: #"{"a":"é","b":1.50}"#)
        try notes.save(document: same)
        #expect(try notes.document(id: "x")?.revisionID == same.revisionID)
        try notes.save(bodies: [(id: "x", body: Array(#"{"n":2}"#.utf8))])
        #expect(try notes.document(id: "x")?.revisionID?.hasPrefix("2-") == true)
    }

    @Test(arguments: ["", "[1]", "{", #"{"a":}"#, "null"]) func whatIsNoObjectSavesNothing(json: String) throws {
        let bodies = [
            (id: "a", body: Array("{}".utf8)), (id: "b", body: Array(json.utf8)), (id: "c", body: Array("{}".utf8)),
        ]
        #expect(throws: (any Error).self) { try notes.save(bodies: bodies) }
        #expect(notes.count == 0, "all of them or none")
    }

    @Test func aBodyThatIsTooLargeIsRefusedWithTheWayOut() throws {
        let large = Array(#"{"t":"\#(String(repeating: "x", count: StoreLimits.documentBody))"}"#.utf8)
        let error = #expect(throws: StoreError.self) { try notes.save(bodies: [(id: "a", body: large)]) }
        #expect(
            error?.code == .tooLarge && error?.context["document"] == "a" && error?.context["bytes"] == "\(large.count)"
        )
        #expect(error?.hint == "Move large content into a blob." && notes.count == 0)
    }

    /// As the remote has them, not as they are here.
    @Test func onlyWhatARemoteHasIsSent() throws {
        _ = try fixture.pull("synced", "1-aa", #"{"n":1}"#)
        _ = try fixture.pull("edited", "1-bb", #"{"n":2}"#)
        try notes.put("edited", ["n": 20])
        try notes.put("new", ["n": 3])
        _ = try fixture.pull("deleted", "1-cc", #"{"n":4}"#)
        try notes.delete(document: try #require(try notes.document(id: "deleted")))
        _ = try fixture.pull("lost", "1-dd", #"{"n":5}"#)
        try notes.put("lost", ["n": 50])
        try notes.forgetBase(of: "lost")
        var sent: [String] = []
        try notes.forEachSentBody { sent.append(text($0)) }
        #expect(sent == [#"{"n":2}"#, #"{"n":1}"#])
        #expect(try notes.baseBody(of: "edited").map { text($0) } == #"{"n":2}"# && notes.baseBody(of: "new") == nil)
        #expect(try notes.baseBody(of: "deleted").map { text($0) } == #"{"n":4}"#)
    }

    @Test func aPortionOfSentOnesIsOfOneState() throws {
        for id in ["a", "b"] {
            _ = try fixture.pull(id, "1-aa", #"{"n":1}"#)
            try notes.put(id, ["n": 2])
        }
        var sent: [String] = []
        try notes.forEachSentBody { json in
            sent.append(text(json))
            try notes.forgetBase(of: "b")
        }
        #expect(sent == [#"{"n":1}"#, #"{"n":1}"#])
    }

    @Test func aClosedDatabaseHasNone() throws {
        try fill()
        try notes.database.close()
        for call in [
            { try notes.forEachBody { _, _ in } }, { try notes.forEachStoredBody { _ in } },
            { try notes.forEachSentBody { _ in } },
            { _ = try notes.forEachBody(changedAfter: 0) { _, _ in } }, { _ = try notes.bodies(of: ["a"]) },
            { try notes.save(bodies: []) }, { _ = try notes.deletedIDs() }, { _ = try notes.lastSequence() },
        ] as [() throws -> Void] { #expect(performing: { try call() }, throws: isCode(.notOpen)) }
    }
}
