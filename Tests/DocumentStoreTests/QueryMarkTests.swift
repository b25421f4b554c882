import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// What a live query looks at before it runs again.
@Suite struct QueryMarkTests {
    private let folder: TestFolder
    private let database: Database
    private let sites: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        sites = try database.createCollection(name: "sites")
        try sites.createIndex(withName: "regions", config: ValueIndexConfiguration(["region"]))
        for (id, region) in [("a", "north"), ("b", "north"), ("c", "south")] {
            try sites.put(id, ["region": region, "n": 1])
        }
    }

    private func mark(_ query: Query) throws -> QueryMark { try #require(try query.mark()) }

    @Test func onlyDocumentsThatFitChangeIt() throws {
        let query = try database.createQuery("SELECT n FROM sites WHERE region = 'north' ORDER BY n LIMIT 1")
        var last = try mark(query)
        func isSame() throws -> Bool {
            let now = try mark(query)
            defer { last = now }
            return now.isSame(as: last)
        }
        #expect(try isSame())
        try sites.put("c", ["region": "south", "n": 2])
        try sites.put("d", ["region": "west"])
        try sites.purge(id: "d")
        #expect(try isSame(), "other regions")
        try sites.put("a", ["region": "north", "n": 3])
        #expect(try !isSame(), "changed")
        try sites.put("a", ["region": "south"])
        #expect(try !isSame(), "left")
        try sites.put("e", ["region": "north"])
        #expect(try !isSame(), "new")
        try sites.delete(document: try #require(try sites.document(id: "b")))
        #expect(try !isSame(), "deleted")
        try sites.purge(id: "e")
        #expect(try !isSame(), "purged")
        try sites.put("f", ["region": "north"])
        try sites.purge(id: "f")
        #expect(try isSame(), "came and went")
    }

    @Test func theIdIsAnIndexToo() throws {
        let query = try database.createQuery("SELECT n FROM sites WHERE META().id = $id")
        query.parameters = Parameters().setString("a", forName: "id")
        let first = try mark(query)
        try sites.put("b", ["n": 9])
        #expect(try mark(query).isSame(as: first))
        query.parameters = Parameters().setString("a", forName: "id")
        #expect(try !mark(query).isSame(as: first), "others may be asked for now")
        try sites.put("a", ["n": 9])
        #expect(try !mark(query).isSame(as: first))
    }

    @Test(arguments: [
        "SELECT n FROM sites", "SELECT n FROM sites WHERE n = 1", "SELECT COUNT(*) FROM sites GROUP BY region",
        "SELECT META().deleted FROM sites WHERE region = 'north'",
        "SELECT t FROM sites AS s UNNEST s.tags AS t WHERE s.region = 'north'",
    ]) func othersHaveNone(text: String) throws { #expect(try database.createQuery(text).mark() == nil) }

    /// The condition may be of a column's alias, and the rows of aggregates.
    @Test(arguments: [
        "SELECT region AS r, n FROM sites WHERE r = 'north'",
        "SELECT COUNT(*) AS number FROM sites WHERE region = 'north'",
        "SELECT DISTINCT n FROM sites AS s WHERE s.region IN ('north', 'west')",
        "SELECT * FROM sites WHERE region = 'north'",
    ]) func aliasesAndAggregatesHaveOne(text: String) throws {
        let query = try database.createQuery(text)
        let first = try mark(query)
        try sites.put("c", ["region": "south", "n": 2])
        #expect(try mark(query).isSame(as: first))
        try sites.put("a", ["region": "north", "n": 3])
        #expect(try !mark(query).isSame(as: first))
    }

    @Test func theTimeLimitOfTheQueryHolds() throws {
        try database.inBatch { for number in 0..<3_000 { try sites.put("\(number)", ["region": "north"]) } }
        let query = try database.createQuery("SELECT n FROM sites WHERE region = 'north'")
        #expect(try query.mark() != nil)
        query.timeLimit = .zero
        #expect(try query.mark() == nil)
    }

    /// The time of the look at the indexes counts for the run, too.
    @Test func theLookAndTheRunHaveOneLimit() throws {
        try database.inBatch { for number in 0..<3_000 { try sites.put("\(number)", ["region": "north"]) } }
        let query = try database.createQuery("SELECT n FROM sites WHERE region = 'north'")
        query.timeLimit = .zero
        let run = query.limitOfRun()
        query.timeLimit = nil
        #expect(try query.mark(within: run) == nil)
        #expect(performing: { try query.markedSnapshot(within: run) }, throws: isCode(.timedOut))
    }

    @Test(.timeLimit(.minutes(1))) func aLiveQueryHearsOfWhatItReads() async throws {
        let query = try database.createQuery("SELECT META().id FROM sites WHERE region = 'north' ORDER BY META().id")
        var changes = query.changes().makeAsyncIterator()
        func ids(_ change: QueryChange?) -> [String] {
            change?.results?.allResults().compactMap { $0.string(at: 0) } ?? []
        }
        #expect(ids(await changes.next()) == ["a", "b"])
        for number in 0..<5 { try sites.put("c", ["region": "south", "n": number]) }
        try sites.put("d", ["region": "north"])
        #expect(ids(await changes.next()) == ["a", "b", "d"])
        try sites.purge(id: "a")
        #expect(ids(await changes.next()) == ["b", "d"])
    }
}

extension Query {
    func mark() throws -> QueryMark? { try mark(within: limitOfRun()) }
}
