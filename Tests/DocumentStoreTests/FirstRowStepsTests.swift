import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Testing

@testable import DocumentStore

/// The sample of the newest documents spares SQLite work where these are wanted.
@Suite struct FirstRowStepsTests {
    private static let documents = 1_200
    private let folder: TestFolder
    private let database: DocumentStore.Database

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        let notes = try database.createCollection(name: "notes")
        try database.inBatch {
            for number in 0..<Self.documents { try notes.put("\(number)", ["number": number]) }
        }
    }

    /// Each document comes before all that SQLite has seen, so that without the sample it computes and sorts in each of them.
    @Test func theSampleSparesSteps() throws {
        let query = try database.createQuery("SELECT number FROM notes ORDER BY number DESC LIMIT 10")
        try database.core().snapshot { db in
            let (statement, translated) = try query.prepare(db)
            let first = try #require(translated.firstRows)
            let sampled = try statement.stepsOfAllRows()
            FirstRowFunctions.bind(FirstRows(first.order), to: statement, at: Int32(first.number))
            let unsampled = try statement.stepsOfAllRows()
            #expect(sampled > Self.documents)
            #expect(sampled * 2 < unsampled, "\(sampled) steps with the sample, \(unsampled) without it")
        }
    }

    /// With fewer documents a sample would be a large part of them.
    @Test func fewDocumentsHaveNoSample() throws {
        let query = try database.createQuery("SELECT number FROM notes ORDER BY number DESC LIMIT 13")
        try database.core().snapshot { db in
            let (statement, translated) = try query.prepare(db)
            let first = try #require(translated.firstRows)
            let steps = try statement.stepsOfAllRows()
            FirstRowFunctions.bind(FirstRows(first.order), to: statement, at: Int32(first.number))
            #expect(try statement.stepsOfAllRows() == steps)
        }
    }
}
