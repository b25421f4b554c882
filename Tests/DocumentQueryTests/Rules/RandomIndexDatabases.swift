import DocumentQuery
import DocumentStore
import DocumentValues
import Foundation
import SeededRandom
import Testing

/// Two databases of the same random documents, of which one has indexes, in a folder that is removed with them.
final class RandomIndexDatabases {
    private static let documents = 30

    private let folder: URL
    private let databases: [Database]
    private let collections: [DocumentStore.Collection]
    private var random: RandomDocuments
    private var bodies: [String: JSONObject] = [:]
    /// How many statements have used an index.
    private(set) var served = 0

    init(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("indexes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        databases = try ["plain", "indexed"].map { try Database(name: $0, config: configuration) }
        collections = try databases.map { try $0.createCollection(name: RandomDatabase.source) }
        random = RandomDocuments(seed: seed)
        try save(0..<Self.documents)
    }

    deinit {
        for database in databases { try? database.close() }
        try? FileManager.default.removeItem(at: folder)
    }

    private func save(_ numbers: some Sequence<Int>) throws {
        for number in numbers { bodies["\(number)"] = random.next() }
        for (database, collection) in zip(databases, collections) {
            try database.inBatch {
                for number in numbers {
                    let document =
                        try collection.document(id: "\(number)")?.toMutable() ?? MutableDocument(id: "\(number)")
                    try collection.save(document: document.setJSON(bodies["\(number)"]?.description ?? "{}"))
                }
            }
        }
    }

    /// Replaces some documents, deletes some and makes some.
    func change() throws {
        try save(Array(5..<12) + Array(Self.documents..<Self.documents + 5))
        for collection in collections {
            for id in ["1", "2"] { try collection.delete(document: try #require(try collection.document(id: id))) }
            for id in ["3", "31"] { try collection.purge(id: id) }
        }
        for id in ["1", "2", "3", "31"] { bodies[id] = nil }
    }

    // MARK: Indexes

    /// - Returns: how many there are; what SQLite finds too deep is left out.
    func createIndexes(_ statements: RandomStatements) throws -> Int {
        for (number, configuration) in statements.indexes.enumerated() {
            do { try collections[1].createIndex(withName: "i\(number)", config: configuration) } catch let error
                as StoreError
            {
                guard error.code == .invalidQuery, error.message.contains("too many expressions") else { throw error }
            }
        }
        try collections[1].createIndex(withName: "words", config: FullTextIndexConfiguration(["s", "t"]))
        try collections[1].createIndex(
            withName: "some", config: FullTextIndexConfiguration(["s", "t"], where: statements.textCondition))
        return try collections[1].indexes().count
    }

    func checkIndexes() throws { try databases[1].performMaintenance(type: .integrityCheck) }

    // MARK: Comparing

    /// What the databases answer differently, or the one with indexes otherwise than the rules; `nil` where all agree.
    func difference(_ random: RandomStatements.Random) throws -> String? {
        let text = QueryWriter.text(random.statement)
        let answers = try databases.map { database in
            try RandomAnswer(
                {
                    let query = try database.createQuery(text)
                    query.parameters = RandomExpressions.parameters(of: random.statement)
                    return try query.execute()
                }, comparison: random.comparison)
        }
        guard case .rows = answers[1], answers[0] == answers[1] else {
            return answers[0] == answers[1] ? nil : "\(text)\n    without: \(answers[0])\n    with: \(answers[1])"
        }
        served += try databases[1].createQuery(text).usedIndexes().isEmpty ? 0 : 1
        guard random.statement.sources.count == 1, let condition = random.statement.condition else { return nil }
        return try differenceFromRules(condition)
    }

    /// Which of the documents the rules find otherwise.
    private func differenceFromRules(_ condition: QueryExpression) throws -> String? {
        let id = ResultColumn(.meta(alias: nil, key: "id"))
        let statement = SelectStatement(
            columns: [id], sources: [QuerySource(.collection([RandomDatabase.source]))], condition: condition)
        let query = try databases[1].createQuery(QueryWriter.text(statement))
        query.parameters = RandomExpressions.parameters(of: statement)
        let found = try query.execute().readAll().compactMap { $0.string(at: 0) }
        let parameters = RandomExpressions.parameters.members.map {
            RuleMember(key: $0.key, value: RuleValue($0.value))
        }
        for (id, body) in bodies {
            let rules = RuleInterpreter(
                document: RuleValue(.object(body)), source: RandomDatabase.source, parameters: parameters)
            let isKept: Bool
            do { isKept = try rules.isKept(by: condition) } catch RuleError.unspecified { continue }
            if isKept != found.contains(id) {
                return "\(QueryWriter.text(condition))\n    \(isKept ? "not " : "")found: \(body)"
            }
        }
        return nil
    }

    /// A full-text index of some documents finds those of the index of all that fit its condition.
    func differenceOfTexts(_ word: String, condition: String) throws -> String? {
        func ids(_ condition: String) throws -> [String] {
            let query = try databases[1].createQuery(
                "SELECT META().id FROM \(RandomDatabase.source) WHERE \(condition)")
            return try query.execute().readAll().compactMap { $0.string(at: 0) }.sorted()
        }
        let (some, all) = (try ids("MATCH(some, '\(word)')"), try ids("MATCH(words, '\(word)') AND (\(condition))"))
        return some == all ? nil : "\(word): \(some) instead of \(all)"
    }
}
