import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Every recorded query, run over a database of the recorded documents: its rows, or its error, are those of the reference
/// engine.
@Suite(.serialized) struct RecordingTests {
    /// What ours answers otherwise, with the reason.
    private static let different: [String: String] = [
        "between-in-case-046": "IN takes a property here", "between-in-case-047": "IN takes a property here",
        "func-date-009": "text that is no date is none, also where the engine makes a day of the year 2000 of it",
        "lexical-128": "the engine reads a text up to a NUL only",
        "index-062": "DISTINCT has the same rows with an index as without one",
        "index-058": "the smallest and the largest at once: the rows are read, which say whether they are deleted",
        "index-errors-034": "MATCH in an index has an error that says why, where the engine's own check fails",
        "index-errors-037": "the position of ASC, of which the engine reads AS as a word of its own",
        "index-errors-060": "keywords of SQL are names of indexes, too",
        "index-errors-073": "keywords of SQL are names of indexes, too",
        "fts-230": "full-text searches see deleted documents no more than others do, and do not fail by them",
        "index-errors-090": "a condition is the same with the name of its collection in front",
    ]

    private static let refusedIndexes = ["index-094": "the time zone may be another in the next process"]

    @Test func recordings() throws {
        let golden = try GoldenDatabase()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() where !query.isQuirk && query.indexes.isEmpty && query.match != "free" {
            guard query.json["text"] != nil else { continue }
            compared += 1
            let answer = try query.answer(golden)
            let isSame = answer.fits(query.recordedAnswer, match: query.match, isOfSQLite: query.isErrorOfSQLite)
            if isSame != (Self.different[query.id] == nil) {
                differences.append(difference(of: answer, query: query))
            }
        }
        #expect(compared > 1_500)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    /// What is marked as a quirk, with ours in `quirks.txt`: the engine's answer where nothing speaks against it, a better one
    /// or what the language's documentation allows.
    @Test func quirks() throws {
        let golden = try GoldenDatabase()
        let answers = try RecordedQuery.answersToQuirks()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() where query.isQuirk && query.indexes.isEmpty {
            guard query.text != nil else { continue }
            compared += 1
            let answer = try query.answer(golden).description
            if answer != answers[query.id] { differences.append("\(query.id)\t\(answer)") }
        }
        #expect(compared > 100 && compared == answers.count)
        #expect(differences.isEmpty, "\(differences.count)\n\(differences.joined(separator: "\n"))")
    }

    /// With indexes of values and arrays: the same rows, and the plan uses those that the engine's uses.
    @Test func indexes() throws {
        let golden = try GoldenDatabase()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() where !query.isQuirk && !query.indexes.isEmpty {
            compared += 1
            guard query.error?["stage"] != "index", Self.refusedIndexes[query.id] == nil else {
                #expect(throws: StoreError.self, "\(query.id)") { try golden.createIndex(query.indexes[0]) }
                continue
            }
            for index in query.indexes { try golden.createIndex(index) }
            let answer = try query.answer(golden)
            var isSame = answer.fits(query.recordedAnswer, match: query.match, isOfSQLite: query.isErrorOfSQLite)
            var plan: [String] = []
            if let used = query.expectation["usesIndex"]?.arrayValue?.compactMap(\.stringValue), query.error == nil {
                plan = try golden.used(
                    query.indexes.compactMap { $0["name"]?.stringValue }, by: try query.query(golden.database))
                isSame = isSame && plan == used
            }
            for index in query.indexes { try golden.deleteIndex(index) }
            if isSame != (Self.different[query.id] == nil) {
                differences.append(difference(of: answer, query: query) + " \(plan)")
            }
        }
        #expect(compared > 150)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    /// Indexes that are made, replaced and removed.
    @Test func steps() throws {
        let golden = try GoldenDatabase()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all("index-errors") where !query.isQuirk {
            guard let steps = query.json["steps"]?.arrayValue else { continue }
            compared += 1
            let recorded = query.expectation["steps"]?.arrayValue ?? []
            let failed = try zip(steps, recorded).compactMap { step, expected in
                try golden.difference(of: step, recorded: expected)
            }
            try golden.deleteAllIndexes()
            if failed.isEmpty != (Self.different[query.id] == nil) {
                differences.append("\(query.id): \(JSONValue.array(steps))\n    \(failed)")
            }
        }
        #expect(compared > 40)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    private func difference(of answer: QueryAnswer, query: RecordedQuery) -> String {
        "\(query.id): \(query.anyText.prefix(300).debugDescription)\n    \(answer)\n    \(query.recordedAnswer)"
    }
}

extension RecordedQuery {
    var recordedAnswer: QueryAnswer { QueryAnswer(recorded: expectation) }

    /// Of SQLite's own errors only that there is one is compared.
    var isErrorOfSQLite: Bool { error?["domain"] == 3 }

    var hasFullText: Bool {
        (indexes + (json["steps"]?.arrayValue ?? [])).contains { $0["type"] == "fulltext" }
    }

    /// In either language.
    var anyText: String { json["text"].map { $0.stringValue ?? $0.description } ?? "" }

    func query(_ database: Database) throws -> Query {
        try json["language"] == "json" ? database.createQuery(json: anyText) : database.createQuery(anyText)
    }

    func answer(_ golden: GoldenDatabase) throws -> QueryAnswer {
        try inItsZone {
            try QueryAnswer(parameters: json["parameters"]?.objectValue) { try query(golden.database) }
        }
    }
}
