import DocumentStore
import DocumentValues

extension GoldenDatabase {
    func createIndex(_ index: JSONValue) throws {
        let expressions = index["expressions"]?.stringValue
        let condition = index["where"]?.stringValue
        let configuration: any IndexConfiguration =
            switch index["type"]?.stringValue {
            case "array":
                ArrayIndexConfiguration(
                    path: index["path"]?.stringValue ?? "", expressions: expressions.map { [$0] })
            case "fulltext":
                FullTextIndexConfiguration(
                    [expressions ?? ""], where: condition, ignoreAccents: index["ignoreAccents"] == true,
                    language: index["stemming"]?.stringValue)
            default: ValueIndexConfiguration([expressions ?? ""], where: condition)
            }
        try collection(index["collection"]?.stringValue ?? "").createIndex(
            withName: index["name"]?.stringValue ?? "", config: configuration)
    }

    func deleteIndex(_ index: JSONValue) throws {
        try collection(index["collection"]?.stringValue ?? "").deleteIndex(
            forName: index["name"]?.stringValue ?? "")
    }

    func deleteAllIndexes() throws {
        for scope in try database.scopes() {
            for collection in try scope.collections() {
                for name in try collection.indexes() { try collection.deleteIndex(forName: name) }
            }
        }
    }

    /// Which of the indexes are in the plan of a query.
    func used(_ names: [String], by text: String) throws -> [String] {
        try used(names, by: database.createQuery(text))
    }

    func used(_ names: [String], by query: Query) throws -> [String] {
        let plan = try query.explain().split(separator: "\n")
        return names.filter { name in
            plan.contains { $0.contains("INDEX \(name) ") || $0.hasSuffix("INDEX \(name)") }
        }
    }

    /// What a step of a recording gives otherwise; `nil` where it is the same.
    func difference(of step: JSONValue, recorded: JSONValue) throws -> String? {
        let name = step["collection"]?.stringValue ?? ""
        do {
            switch step["do"]?.stringValue {
            case "createIndex": try createIndex(step)
            case "deleteIndex": try deleteIndex(step)
            case "indexNames":
                let names = try collection(name).indexes()
                let expected = recorded["names"]?.arrayValue?.compactMap(\.stringValue) ?? []
                return names == expected ? nil : "\(names) instead of \(expected)"
            default: return try differenceOfQuery(step, recorded: recorded)
            }
        } catch let error as StoreError {
            guard let expected = recorded["error"] else { return "\(error)" }
            let isSame =
                expected["domain"] != 1
                || expected["message"]?.stringValue == error.message
                    && expected["code"]?.integerValue == Int64(error.code.rawValue)
            return isSame ? nil : "\(error) instead of \(expected)"
        }
        return recorded["error"].map { "an error is missing: \($0)" }
    }

    private func differenceOfQuery(_ step: JSONValue, recorded: JSONValue) throws -> String? {
        let text = step["text"]?.stringValue ?? ""
        let answer = try QueryAnswer(running: text, parameters: nil, database: database)
        let expected = QueryAnswer(recorded: recorded.objectValue ?? [:])
        guard answer.fits(expected, match: "exact", isOfSQLite: false) else {
            return "\(answer) instead of \(expected)"
        }
        guard let indexes = recorded["usesIndex"]?.arrayValue?.compactMap(\.stringValue) else { return nil }
        let used = try used(["a", "b"], by: text)
        return used == indexes ? nil : "uses \(used) instead of \(indexes)"
    }
}
