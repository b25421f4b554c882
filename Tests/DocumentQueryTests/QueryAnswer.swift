import DocumentQuery
import DocumentStore
import DocumentValues

/// What a query answers, in a form that can be compared with a recording: the columns and rows as texts in which whole
/// numbers and those of a point differ, or the error.
enum QueryAnswer: Hashable, CustomStringConvertible {
    case rows(columns: [String], [String])
    case failure(code: Int, message: String, position: Int?)

    /// What ours answers.
    init(running text: String, parameters: JSONObject?, database: Database) throws {
        try self.init(parameters: parameters) { try database.createQuery(text) }
    }

    init(parameters: JSONObject?, make: () throws -> Query) throws {
        do {
            let query = try make()
            if let parameters {
                let values = Parameters()
                for member in parameters.members { values.setValue(member.value, forName: member.key) }
                query.parameters = values
            }
            let results = try query.execute()
            let names = results.columnNames
            var rows: [String] = []
            for result in results {
                let row = try JSONObject(parsing: Array(result.toJSON().utf8))
                rows.append("[" + names.map { row[$0].map(Self.text) ?? "MISSING" }.joined(separator: ",") + "]")
            }
            if let error = results.error { throw error }
            self = .rows(columns: names, rows)
        } catch let error as StoreError {
            self = .failure(
                code: error.code.rawValue, message: error.message,
                position: error.context["position"].flatMap { Int($0) })
        }
    }

    /// What was recorded.
    init(recorded expectation: JSONObject) {
        if let error = expectation["error"] {
            self = .failure(
                code: Int(error["code"]?.integerValue ?? 0), message: error["message"]?.stringValue ?? "",
                position: error["position"]?.integerValue.map { Int($0) })
        } else {
            let rows = expectation["rows"]?.arrayValue ?? []
            self = .rows(
                columns: expectation["columns"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                rows.map { "[" + ($0.arrayValue ?? []).map(Self.text).joined(separator: ",") + "]" })
        }
    }

    private static func text(_ value: JSONValue) -> String {
        if value["$missing"] != nil { return "MISSING" }
        if value["$double"] == "Infinity" { return "inf" }
        switch value {
        case .null, .bool, .string: return value.description
        case .number:
            if case .integer(let whole) = QueryValue(value) { return "\(whole)" }
            return "\(value.doubleValue ?? .nan)"
        case .array(let elements): return "[" + elements.map(text).joined(separator: ",") + "]"
        case .object(let object):
            return "{"
                + object.members.map { "\(JSONValue.string($0.key)):\(text($0.value))" }.sorted().joined(separator: ",")
                + "}"
        }
    }

    var description: String {
        switch self {
        case .rows(let columns, let rows): "\(columns) \(rows.joined(separator: " "))"
        case .failure(let code, let message, let position):
            "error \(code) \(message)\(position.map { " at \($0)" } ?? "")"
        }
    }

    /// Whether this is the recorded answer, as far as the recording says that it has to be.
    func fits(_ recorded: QueryAnswer, match: String, isOfSQLite: Bool) -> Bool {
        switch (self, recorded) {
        case (.rows(let columns, let rows), .rows(let otherColumns, let otherRows)):
            guard columns == otherColumns else { return false }
            switch match {
            case "exact": return rows == otherRows
            case "rows": return rows.sorted() == otherRows.sorted()
            default: return rows.count == otherRows.count
            }
        case (
            .failure(let code, let message, let position), .failure(let otherCode, let otherMessage, let otherPosition)
        ):
            // Of SQLite's own errors only that there is one.
            return isOfSQLite || code == otherCode && message == otherMessage && position == otherPosition
        case (.rows, .failure), (.failure, .rows): return false
        }
    }
}
