import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Full-text indexes over their life.
struct FullTextTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let texts: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        texts = try golden.collection("texts")
    }

    private func save(_ id: String, json: String) throws {
        try texts.save(document: MutableDocument(id: id, json: json))
    }

    private func found(_ terms: String) throws -> [String] {
        let query = try database.createQuery(
            "SELECT META().id FROM texts WHERE MATCH(words, $terms) ORDER BY META().id")
        query.parameters = Parameters().setString(terms, forName: "terms")
        return try query.execute().allResults().compactMap { $0.string(at: 0) }
    }

    /// Sums of floating-point numbers depend on the order.
    @Test func aRankIsTheSameEachTime() throws {
        for number in 1...7 {
            let text = (0..<number).map { "a\($0 % 3) b\($0 % 5)" }.joined(separator: " ")
            try save("\(number)", json: #"{"p":"\#(text)","q":"\#(text) a0 a1","r":"a0 b0","s":"\#(text) b1"}"#)
        }
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["p", "q", "r", "s"]))
        let query = try database.createQuery(
            "SELECT RANK(words) FROM texts WHERE MATCH(words, 'a0 OR a1 OR a2 OR b0 OR b1') ORDER BY META().id")
        let first = try query.execute().allResults().map { $0.double(at: 0) }
        for _ in 0..<100 { #expect(try query.execute().allResults().map { $0.double(at: 0) } == first) }
    }

    @Test func everyWriteKeepsTheIndexUp() throws {
        try save("before", json: #"{"text":"A leaking valve","state":"open"}"#)
        try texts.createIndex(
            withName: "words",
            config: FullTextIndexConfiguration(["text"], where: "state = 'open'", ignoreAccents: true, language: "en"))
        try save("after", json: #"{"text":["Leaks everywhere", "a Café"],"state":"open"}"#)
        try save("closed", json: #"{"text":"leak","state":"closed"}"#)
        #expect(try found("leak") == ["after", "before"])
        #expect(try found("cafes") == ["after"])
        let document = try #require(try texts.document(id: "before")?.toMutable())
        try texts.save(document: document.setString("dry", forKey: "text"))
        #expect(try found("leak") == ["after"])
        #expect(try found("dry") == ["before"])
        try save("closed", json: #"{"text":"leak","state":"open"}"#)
        #expect(try found("leak") == ["after", "closed"])
        try texts.delete(document: try #require(try texts.document(id: "after")))
        try texts.purge(id: "closed")
        #expect(try found("leak") == [])
        try save("after", json: #"{"text":"leak again","state":"open"}"#)
        #expect(try found("leak") == ["after"])
        for type in [MaintenanceType.reindex, .integrityCheck, .compact, .optimize, .fullOptimize] {
            try database.performMaintenance(type: type)
        }
        #expect(try found("leak") == ["after"])
        try texts.deleteIndex(forName: "words")
        #expect(throws: StoreError.self) { try found("leak") }
        try save("other", json: #"{"text":"leak","state":"open"}"#)
    }

    /// An expiration is set without a new sequence.
    @Test func aConditionOfMetadataFollowsIt() throws {
        try texts.createIndex(
            withName: "words", config: FullTextIndexConfiguration(["text"], where: "META().expiration IS VALUED"))
        try save("a", json: #"{"text":"valve"}"#)
        #expect(try found("valve") == [])
        try texts.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: 3_600))
        #expect(try found("valve") == ["a"])
        try texts.setDocumentExpiration(id: "a", expiration: nil)
        #expect(try found("valve") == [])
        try texts.purge(id: "a")
        try database.performMaintenance(type: .integrityCheck)
    }

    @Test func aPropertyMayHaveANewlineInItsName() throws {
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["`a\nb`", "text", "more"]))
        try save("a", json: #"{"text":"valve","more":"pump"}"#)
        #expect(try found("text:valve") == ["a"])
        #expect(try found("more:valve") == [])
    }

    @Test func brokenSearchesFail() throws {
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        let error = #expect(throws: StoreError.self) { try found("valve AND") }
        #expect(error?.code == .invalidQuery)
        #expect(error?.context["reason"] == "malformed MATCH expression: [valve AND]")
        #expect(try found("") == [])
    }

    /// SQLite names the table, whose alias is `f0`, and that the search is done with its index.
    @Test func thePlanHasTheIndex() throws {
        try save("a", json: #"{"text":"valve"}"#)
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        let plan = try database.createQuery("SELECT META().id FROM texts WHERE MATCH(words, 'valve')").explain()
        #expect(plan.contains("SCAN f0 VIRTUAL TABLE INDEX 0:M"), "\(plan)")
        #expect(plan.contains(#/JOIN index_\d+ AS f0/#), "\(plan)")
    }

    @Test func indexesAreCopiedWithTheDatabase() throws {
        try save("a", json: #"{"text":"valve","n":5,"tags":["wet"]}"#)
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        try texts.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"], where: "n > 3"))
        try texts.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try database.inBatch { for number in 0..<500 { try save("\(number)", json: #"{"text":"pump \#(number)"}"#) } }
        let path = try #require(database.path)
        let name = "copy-\(UUID().uuidString)"
        var configuration = DatabaseConfiguration()
        configuration.directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try Database.copy(fromPath: path, toDatabase: name, withConfig: configuration)
        let copy = try Database(name: name, config: configuration)
        defer { try? copy.delete() }
        let rows = try copy.createQuery("SELECT META().id FROM texts WHERE MATCH(words, '77 OR valve')").execute()
        #expect(Set(rows.allResults().compactMap { $0.string(at: 0) }) == ["77", "a"])
        #expect(try copy.collection(name: "texts")?.indexes() == ["numbers", "tags", "words"])
        for (text, index) in [
            ("SELECT META().id FROM texts WHERE n > 3", "numbers"),
            ("SELECT META(d).id FROM texts AS d UNNEST d.tags AS t WHERE t = 'wet'", "tags"),
        ] {
            let query = try copy.createQuery(text)
            #expect(try query.usedIndexes() == [index])
            #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["a"])
        }
        try copy.performMaintenance(type: .integrityCheck)
    }

    @Test func aBatchThatFailsLeavesTheIndexAsItWas() throws {
        try save("a", json: #"{"text":"valve"}"#)
        try texts.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        #expect(throws: CancellationError.self) {
            try database.inBatch {
                try save("b", json: #"{"text":"valve"}"#)
                #expect(try found("valve") == ["a", "b"])
                throw CancellationError()
            }
        }
        #expect(try found("valve") == ["a"])
    }
}
