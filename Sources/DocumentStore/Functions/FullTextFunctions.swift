import DocumentQuery
import DocumentValues
import GRDB
import GRDBSQLite

/// The functions that full-text searches need besides FTS5:
///
/// - `fb_indexed(body, path)`: the indexed text of a property: its text, a number as text, or all of these in an array.
/// - `fb_match(text, settings, properties)`: the text of a search in the syntax of FTS5; the properties are a list in JSON.
/// - `fb_rank(index)`: the hits in this document, each word's and property's divided by those in all documents.
enum FullTextFunctions {
    static func register(_ registry: FunctionRegistry, in db: GRDB.Database) throws {
        try registry.add("fb_indexed", arguments: 2) { context, _, values in
            FullTextFunctions.indexed(context, values: values)
        }
        try registry.add("fb_match", arguments: 3) { context, _, values in
            FullTextFunctions.match(context, values: values)
        }
        let api = UnsafeMutablePointer(mutating: FTS5.api(db))
        try registry.check(
            api.pointee.xCreateFunction(
                api, "fb_rank", Unmanaged.passRetained(registry.work).toOpaque(),
                { api, query, context, _, _ in FullTextRank.run(api, query: query, context: context) },
                { work in
                    guard let work else { return }
                    Unmanaged<ConnectionWork>.fromOpaque(work).release()
                }))
    }

    private static func indexed(_ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT else { return sqlite3_result_null(context) }
        var scanner = BodyScanner(SQLValue.bytes(text: values[0]))
        guard let found = scanner.find(BodyScanner.Target(QueryPath(written: SQLValue.bytes(text: values[1])))) else {
            return sqlite3_result_null(context)
        }
        let texts = texts(of: BodyText.value(found))
        guard !texts.isEmpty else { return sqlite3_result_null(context) }
        SQLResult(context: context).set(texts.joined(separator: "\n"))
    }

    private static func texts(of value: QueryValue) -> [String] {
        switch value {
        case .text(let text): [text]
        case .integer, .real: value.json.map { [$0.description] } ?? []
        case .container(let container):
            (container.arrayValue ?? []).compactMap { element in
                switch element {
                case .string(let text): text
                case .number(let number): number.text
                case .null, .bool, .array, .object: nil
                }
            }
        case .missing, .null, .boolean: []
        }
    }

    /// A phrase of no words, which no document has.
    private static let nothing = "\"\""

    private static func match(_ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?) {
        let text: String
        switch SQLValue.read(values?[0]) {
        case .text(let value): text = value
        case .integer(let number): text = "\(number)"
        case .real(let number): text = NumberText.text(number)
        case .missing, .null, .boolean, .container: return SQLResult(context: context).set(Self.nothing)
        }
        let settings = WordSettings(text: SQLValue.text(values?[1]))
        let result = SQLResult(context: context)
        do {
            let properties = try JSONValue(parsing: Array(SQLValue.bytes(text: values?[2]))).arrayValue ?? []
            let names = properties.compactMap(\.stringValue)
            let expression = try MatchExpression.translate(text, properties: names) { word in
                var word = word
                return word.withUTF8 { settings.indexed($0, composed: FullTextTokenizer.composed) } != nil
            }
            result.set(expression.isEmpty ? Self.nothing : expression)
        } catch {
            result.fail((error as? QueryError)?.message ?? "\(error)")
        }
    }
}
