import DocumentValues
import Fieldbook
import FieldShell
import Foundation

/// Reads queries as lines of JSON, and answers each of them in a line.
struct QueryLines {
    let database: Database
    /// The time limit of each query, in seconds: the lines may come from a person other than the user of the program.
    let timeLimit: Double

    func run() throws {
        while let line = readLine(strippingNewline: true) {
            guard !line.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { continue }
            StandardOutput.json(answer(line).description)
        }
    }

    private func answer(_ line: String) -> JSONObject {
        let request: JSONObject
        do { request = try JSONObject(parsing: Array(line.utf8), halves: .refused) } catch {
            return ["id": .null, "error": ["message": .string("The line is not a JSON object: \(error).")]]
        }
        var answer: JSONObject = ["id": request["id"] ?? .null]
        do {
            let query = try query(request)
            query.timeLimit = .seconds(timeLimit)
            if request["explain"] == true {
                answer["usesIndex"] = .array(try query.usedIndexes().map { .string($0) })
            }
            try run(query, into: &answer)
        } catch {
            answer["error"] = Self.error(error)
        }
        return answer
    }

    private func query(_ request: JSONObject) throws -> Query {
        let text = request["text"] ?? .string("")
        let query: Query
        switch request["language"]?.stringValue ?? "n1ql" {
        case "n1ql": query = try database.createQuery(text.stringValue ?? text.description)
        // The query is the JSON form itself, or a string that contains it.
        case "json": query = try database.createQuery(json: text.stringValue ?? text.description)
        case let other: throw CommandFailure("There is no language '\(other)'.", hint: "Use n1ql or json.")
        }
        if let parameters = request["parameters"]?.objectValue {
            let values = Parameters()
            for member in parameters.members { values.setValue(member.value, forName: member.key) }
            query.parameters = values
        }
        return query
    }

    private func run(_ query: Query, into answer: inout JSONObject) throws {
        let results = try query.execute()
        var rows: [JSONValue] = []
        var missing: [JSONValue] = []
        while let row = results.next() {
            let values = row.columnValues
            for column in values.indices where values[column] == nil {
                missing.append([.int(rows.count), .int(column)])
            }
            rows.append(.array(values.map { $0 ?? .null }))
        }
        if let error = results.error { throw error }
        answer["columns"] = .array(results.columnNames.map { .string($0) })
        answer["rows"] = .array(rows)
        if !missing.isEmpty { answer["missing"] = .array(missing) }
    }

    private static func error(_ error: any Error) -> JSONValue {
        guard let error = error as? StoreError else { return ["message": .string("\(error)")] }
        if let reason = error.context["reason"], let code = error.context["sqlite"].flatMap({ Int($0) }) {
            return ["domain": "SQLite", "code": .int(code), "message": .string(reason)]
        }
        var object: JSONObject = [
            "domain": .string(StoreError.errorDomain), "code": .int(error.code.rawValue),
            "message": .string(error.message),
        ]
        object["position"] = error.context["position"].flatMap { Int($0) }.map { .int($0) }
        return .object(object)
    }
}
