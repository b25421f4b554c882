import DocumentQuery
import DocumentValues
import Foundation
import GRDB
import Synchronization
import Testing

@testable import DocumentStore

/// Counts how often it runs.
private final class CountingQuery: Query, @unchecked Sendable {
    private let runs = Atomic(0)

    init(_ text: String, database: DocumentStore.Database) throws {
        super.init(BuiltQuery(try QueryParser.statement(text), database: database))
    }

    var count: Int { runs.load(ordering: .acquiring) }

    override func snapshot(
        within interruption: Interruption, path: String, _ db: GRDB.Database
    ) throws -> QuerySnapshot {
        runs.add(1, ordering: .acquiringAndReleasing)
        return try super.snapshot(within: interruption, path: path, db)
    }
}

/// Live queries over several collections, where indexes find the documents.
@Suite struct LiveJoinTests {
    private let folder: TestFolder
    private let database: DocumentStore.Database
    private let visits: DocumentStore.Collection
    private let sites: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        visits = try database.createCollection(name: "visits")
        sites = try database.createCollection(name: "sites")
        try visits.createIndex(withName: "days", config: ValueIndexConfiguration(["day"]))
        try visits.createIndex(withName: "visited", config: ValueIndexConfiguration(["site"]))
        try sites.createIndex(withName: "codes", config: ValueIndexConfiguration(["code"]))
        for (id, code) in [("a", "A"), ("b", "B"), ("c", "C")] { try sites.put(id, ["code": code, "n": 1]) }
        try visits.put("1", ["day": 1, "site": "a", "code": "A"])
        try visits.put("2", ["day": 1, "site": "b", "code": "B"])
        try visits.put("3", ["day": 2, "site": "c", "code": "C"])
    }

    private static let joins = [
        "SELECT META(v).id, s.n FROM visits AS v JOIN sites AS s ON v.site = META(s).id WHERE v.day = 1",
        "SELECT META(v).id, s.n FROM visits AS v LEFT JOIN sites AS s ON META(s).id = v.site WHERE v.day = 1",
        "SELECT META(v).id, s.n FROM visits AS v JOIN sites AS s ON s.code = v.code WHERE v.day = 1",
        "SELECT META(v).id, s.n FROM sites AS s JOIN visits AS v ON v.site = META(s).id WHERE s.code IN ['A', 'B']",
        "SELECT COUNT(*), MAX(s.n) FROM visits AS v JOIN sites AS s ON v.site = META(s).id WHERE v.day = 1 GROUP BY s.n",
    ]

    @Test(arguments: joins) func onlyDocumentsOfRowsChangeTheMark(text: String) throws {
        let query = try database.createQuery(text)
        var last = try #require(try query.mark())
        func isSame() throws -> Bool {
            let now = try #require(try query.mark())
            defer { last = now }
            return now.isSame(as: last)
        }
        #expect(try isSame())
        try sites.put("c", ["code": "C", "n": 2])
        try sites.put("d", ["code": "D"])
        try visits.put("3", ["day": 2, "site": "c", "code": "C", "x": 1])
        try visits.put("4", ["day": 3, "site": "d", "code": "D"])
        #expect(try isSame(), "other days and sites")
        try sites.put("a", ["code": "A", "n": 3])
        #expect(try !isSame(), "a joined document has changed")
        try visits.put("1", ["day": 1, "site": "a", "code": "A", "x": 1])
        #expect(try !isSame(), "a document that is found has changed")
        try visits.put("2", ["day": 1, "site": "a", "code": "A"])
        #expect(try !isSame(), "another document is joined")
        try sites.purge(id: "a")
        #expect(try !isSame(), "a joined document is gone")
    }

    /// One row goes and another comes, for which no document has changed that either of them is of.
    @Test func aRowWithoutAPartnerChangesTheMark() throws {
        let query = try database.createQuery(
            """
            SELECT META(v).id FROM visits AS v LEFT JOIN sites AS s ON v.site = META(s).id
            WHERE v.day = 1 AND s.n IS MISSING
            """)
        try sites.purge(id: "a")
        let first = try #require(try query.mark())
        #expect(try query.execute().readAll().map { $0.string(at: 0) } == ["1"])
        try sites.purge(id: "b")
        try sites.put("a", ["code": "A", "n": 1])
        #expect(try query.execute().readAll().map { $0.string(at: 0) } == ["2"])
        #expect(try !#require(try query.mark()).isSame(as: first))
    }

    @Test(arguments: [
        "SELECT META(v).id FROM visits AS v JOIN sites AS s ON v.site = META(s).id",
        "SELECT META(v).id FROM visits AS v JOIN sites AS s ON v.x = s.n WHERE v.day = 1",
        "SELECT META(v).id FROM visits AS v JOIN sites AS s ON v.site = META(s).id WHERE s.n = 1",
        "SELECT META(v).id, META(s).deleted FROM visits AS v JOIN sites AS s ON v.site = META(s).id WHERE v.day = 1",
        "SELECT t FROM visits AS v UNNEST v.tags AS t WHERE v.day = 1",
        "SELECT META().expiration FROM visits WHERE day = 1",
    ]) func othersHaveNone(text: String) throws { #expect(try database.createQuery(text).mark() == nil) }

    /// A parameter that is only in LIMIT or in a column.
    @Test func allParametersAreKnown() throws {
        let query = try database.createQuery("SELECT n + $more FROM sites WHERE code IN $codes ORDER BY n LIMIT $n")
        query.parameters = Parameters().setInt(1, forName: "more").setInt(1, forName: "n")
            .setArray(MutableArrayObject(data: ["A", "B"]), forName: "codes")
        let first = try #require(try query.mark())
        try sites.put("c", ["code": "C", "n": 2])
        #expect(try #require(try query.mark()).isSame(as: first))
        try sites.put("b", ["code": "B", "n": 2])
        #expect(try !#require(try query.mark()).isSame(as: first))
    }

    @Test(.timeLimit(.minutes(1))) func itRunsForTheDocumentsOfItsRowsOnly() async throws {
        let query = try CountingQuery(Self.joins[0] + " ORDER BY META(v).id", database: database)
        let heard = Arrivals<[String]>()
        let token = query.addChangeListener { change in
            heard.add(change.results?.allResults().map { $0.toJSON() } ?? [])
        }
        defer { token.remove() }
        #expect(try await heard.first() == [#"{"id":"1","n":1}"#, #"{"id":"2","n":1}"#])
        // It has looked at each of the other commits when this query, which is begun later and runs for all of them, has
        // new rows.
        let others = try database.createQuery("SELECT COUNT(*) FROM visits").changes()
        var counts = others.makeAsyncIterator()
        _ = await counts.next()
        for number in 4..<8 {
            try sites.put("c", ["code": "C", "n": number])
            try visits.put("\(number)", ["day": 2, "site": "c"])
            while await counts.next()?.results?.next()?.int(at: 0) != number {}
        }
        #expect(query.count == 1)
        try sites.put("b", ["code": "B", "n": 2])
        #expect(try await heard.first() == [#"{"id":"1","n":1}"#, #"{"id":"2","n":2}"#])
        #expect(query.count == 2)
    }
}
