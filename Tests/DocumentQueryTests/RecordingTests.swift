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
        "index-errors-090": "a condition is the same with the name of its collection in front",
    ]

    @Test func recordings() throws {
        let golden = try GoldenDatabase()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() where !query.isQuirk && query.indexes.isEmpty && query.match != "free" {
            guard let text = query.text else { continue }
            compared += 1
            let answer = try query.answer(text, golden)
            let isSame = answer.fits(query.recordedAnswer, match: query.match, isOfSQLite: query.isErrorOfSQLite)
            if isSame != (Self.different[query.id] == nil) {
                differences.append(difference(query.id, text, answer, query.recordedAnswer))
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
            guard let text = query.text else { continue }
            compared += 1
            let answer = try query.answer(text, golden).description
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
        for query in try RecordedQuery.all() where !query.isQuirk && !query.indexes.isEmpty && !query.hasFullText {
            guard let text = query.text else { continue }
            compared += 1
            for index in query.indexes { try golden.createIndex(index) }
            let answer = try query.answer(text, golden)
            var isSame = answer.fits(query.recordedAnswer, match: query.match, isOfSQLite: query.isErrorOfSQLite)
            var plan: [String] = []
            if let used = query.expectation["usesIndex"]?.arrayValue?.compactMap(\.stringValue), query.error == nil {
                plan = try golden.used(query.indexes.compactMap { $0["name"]?.stringValue }, by: text)
                isSame = isSame && plan == used
            }
            for index in query.indexes { try golden.deleteIndex(index) }
            if isSame != (Self.different[query.id] == nil) {
                differences.append(difference(query.id, text, answer, query.recordedAnswer) + " \(plan)")
            }
        }
        #expect(compared > 25)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    /// Indexes that are made, replaced and removed.
    @Test func steps() throws {
        let golden = try GoldenDatabase()
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all("index-errors") where !query.hasFullText && !query.isQuirk {
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

    private func difference(
        _ id: String, _ text: String, _ answer: QueryAnswer, _ recorded: QueryAnswer
    ) -> String {
        "\(id): \(text.prefix(300).debugDescription)\n    \(answer)\n    \(recorded)"
    }
}

extension RecordedQuery {
    var recordedAnswer: QueryAnswer { QueryAnswer(recorded: expectation) }

    /// Of SQLite's own errors only that there is one is compared.
    var isErrorOfSQLite: Bool { error?["domain"] == 3 }

    var hasFullText: Bool {
        (indexes + (json["steps"]?.arrayValue ?? [])).contains { $0["type"] == "fulltext" }
    }

    func answer(_ text: String, _ golden: GoldenDatabase) throws -> QueryAnswer {
        try inItsZone {
            try QueryAnswer(running: text, parameters: json["parameters"]?.objectValue, database: golden.database)
        }
    }
}
