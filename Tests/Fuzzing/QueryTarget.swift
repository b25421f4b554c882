import DocumentQuery
import DocumentStore
import DocumentValues
import Foundation

extension FuzzTarget {
    /// The text of a query, which is read and made into SQL; the regular expressions and dates that texts in it may be.
    static let query = FuzzTarget(name: "query", seeds: { seeds.map { Array($0.utf8) } }) { bytes in
        let query = text(bytes)
        checkFunctions(query)
        let statement: SelectStatement
        do throws(QueryError) { statement = try QueryParser.statement(query) } catch {
            check((error.position ?? 0) <= query.utf8.count, "an error is behind the text")
            throw error
        }
        let translated = try StatementTranslator.translate(statement, environment: AnyCollection())
        check(translated.columns.count == statement.columns.count, "a column is lost")
        let again = try StatementTranslator.translate(statement, environment: AnyCollection())
        check(again.sql == translated.sql, "a statement becomes two different ones")
        checkWriter(statement, sql: translated.sql)
        checkSQLite { try $0.createQuery(query) }
    }

    /// There is no statement that SQLite refuses, but for those that are too deep for its parser.
    private static func checkSQLite(_ compile: (Database) throws -> Query) {
        do { _ = try compile(database) } catch let error as StoreError {
            check(error.code != .unexpected, "\(error)")
            check(!error.message.hasPrefix("The query cannot be run"), "\(error)")
        } catch {
            fatalError("\(error)")
        }
    }

    /// With the collections that the seeds name, and an index of each kind.
    private static let database: Database = {
        var configuration = DatabaseConfiguration()
        configuration.directory = FileManager.default.temporaryDirectory.path
        do {
            let database = try Database(name: "fieldbook-fuzz-query", config: configuration)
            for name in ["one", "two"] { _ = try database.createCollection(name: name) }
            _ = try database.createCollection(name: "b", scope: "a")
            let collection = try database.defaultCollection()
            try collection.createIndex(withName: "v", config: ValueIndexConfiguration(["a", "LOWER(b)"]))
            try collection.createIndex(withName: "e", config: ArrayIndexConfiguration(path: "list"))
            try collection.createIndex(withName: "f", config: FullTextIndexConfiguration(["a", "b"]))
            return database
        } catch {
            fatalError("\(error)")
        }
    }()

    /// What is written of a query is read as the same, unless it is too deep by the parentheses that are written.
    private static func checkWriter(_ statement: SelectStatement, sql: String) {
        // A text alone as a column is read as a property.
        let hasText = statement.columns.contains { column in
            if case .nested(.literal, _) = column.expression { true } else { false }
        }
        guard !hasText else { return }
        let written = QueryWriter.text(statement)
        do throws(QueryError) {
            let read = try QueryParser.statement(written)
            let translated = try? StatementTranslator.translate(read, environment: AnyCollection())
            check(translated?.sql == sql, "a statement means something else once it is written: \(written)")
        } catch {
            let isTooLarge = error.message.hasPrefix("The query ") || written.utf8.count > QueryLimits.text
            check(isTooLarge, "a statement is written as none: \(written): \(error.message)")
        }
    }

    /// The JSON form of a query, which is read, made into SQL and written as text.
    static let queryJSON = FuzzTarget(name: "query-json", seeds: { jsonSeeds.map { Array($0.utf8) } }) { bytes in
        let statement = try JSONQueryReader.statement(text(bytes))
        _ = QueryWriter.text(statement)
        let translated = try StatementTranslator.translate(statement, environment: AnyCollection())
        check(translated.columns.count == statement.columns.count, "a column is lost")
        let again = try StatementTranslator.translate(statement, environment: AnyCollection())
        check(again.sql == translated.sql, "a statement becomes two different ones")
        checkSQLite { try $0.createQuery(json: text(bytes)) }
    }

    private static let jsonSeeds = [
        #"["SELECT",{"WHAT":[[".name"],["AS",["+",1,2,3],"n"]],"FROM":[{"COLLECTION":"a.b"}],"LIMIT":["$n"]}]"#,
        #"{"WHAT":[["COUNT()","*"],["MAX()",[".v"]]],"GROUP_BY":[[".t"]],"HAVING":[">",["COUNT()","*"],1]}"#,
        #"{"WHAT":[["_.",["META()","a"],".id"],[".a.x"]],"FROM":[{"COLLECTION":"one","AS":"a"},"#
            + #"{"COLLECTION":"two","AS":"b","JOIN":"LEFT","ON":["=",[".a.x"],[".b.y"]]},"#
            + #"{"UNNEST":[".a.list"],"AS":"e"}],"ORDER_BY":[["DESC",[".a.x"]]]}"#,
        #"["ANY","x",[".list"],["AND",["LIKE",["?x.t"],"%a"],["NOT",["IN",["?x.n"],["[]",1,null,{"k":true}]]]]]"#,
        #"["CASE",[".a"],1,"one",["COLLATE",{"UNICODE":true,"CASE":false},["=",[".s"],"x"]],["IS VALUED",[".b"]],0]"#,
    ]

    private static let seeds = [
        "SELECT a, b.c[0] AS x FROM _ WHERE a = 'x' AND NOT b > $p ORDER BY a DESC LIMIT 5 OFFSET 1",
        "SELECT COUNT(*), MAX(v) FROM a.b GROUP BY t HAVING COUNT(*) > 1",
        "SELECT a.x FROM one AS a LEFT JOIN two AS b ON a.x = META(b).id UNNEST a.y AS y WHERE ANY z IN a.l SATISFIES z.q END",
        "SELECT CASE WHEN a IN [1, {'k': NULL}] THEN \"t\" ELSE -1.5e3 END || `od``d` FROM _ COLLATE (UNICODE NOCASE)",
        "SELECT d.a, t FROM _ AS d UNNEST d.list AS t WHERE t = 1 GROUP BY t ORDER BY 2, t || 'x' LIMIT $n",
        "SELECT a, RANK(f) AS r FROM _ WHERE MATCH(f, 'x OR y*') AND LOWER(b) LIKE 'abc%' ORDER BY r DESC",
        "SELECT DISTINCT META().id AS i, IFNULL(a, TRUE) FROM _ WHERE i = 5 OR EXISTS (SELECT MAX(x) FROM one) ORDER BY i",
        "SELECT * FROM _ WHERE a BETWEEN 1 AND 2 OR b LIKE '%x_' OR c IS NOT VALUED", "^(a+)+$|[[:alpha:]]{2,}\\1",
        "2024-02-29T13:45:30.123+01:00",
    ]

    private static func checkFunctions(_ text: String) {
        for (name, arguments) in [
            ("regexp_position", 2), ("str_to_utc", 1), ("like", 2), ("tonumber", 1), ("lower", 1),
        ] {
            let values = [QueryValue](repeating: .text(text), count: arguments)
            _ = try? QueryFunctions.all[name]?(values, FunctionContext())
        }
    }
}

/// Every collection is there, and none has an index.
private struct AnyCollection: QueryEnvironment {
    var databaseName: String { "db" }
    func collection(_ name: CollectionName) -> Int64? { 1 }
    func collectionNames() -> [CollectionName] { [] }
    func fullTextIndex(_ name: String, collection: Int64) -> FullTextTable? { nil }
    func arrayIndexes(collection: Int64) -> [ArrayIndexTable] { [] }
    func valueIndexes(collection: Int64) -> [TranslatedValueIndex] { [] }
}
