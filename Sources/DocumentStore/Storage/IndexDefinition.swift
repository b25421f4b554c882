import DocumentValues

/// The definition of an index, as it is stored. Two indexes are the same if their definitions are.
enum IndexDefinition: Sendable {
    case value(expressions: String, condition: String?)
    case array(path: String, expressions: String?)
    case fullText(expressions: String, condition: String?, language: String?, ignoresAccents: Bool)

    init?(_ json: JSONObject) {
        let expressions = json["expressions"]?.stringValue
        switch json["type"]?.stringValue {
        case "value":
            guard let expressions else { return nil }
            self = .value(expressions: expressions, condition: json["where"]?.stringValue)
        case "array":
            guard let path = json["path"]?.stringValue else { return nil }
            self = .array(path: path, expressions: expressions)
        case "fulltext":
            guard let expressions else { return nil }
            self = .fullText(
                expressions: expressions, condition: json["where"]?.stringValue,
                language: json["language"]?.stringValue, ignoresAccents: json["ignoreAccents"]?.boolValue ?? false)
        default: return nil
        }
    }

    var json: JSONObject {
        switch self {
        case .value(let expressions, let condition):
            var object: JSONObject = ["type": "value", "expressions": .string(expressions)]
            object["where"] = condition.map { .string($0) }
            return object
        case .array(let path, let expressions):
            var object: JSONObject = ["type": "array", "path": .string(path)]
            object["expressions"] = expressions.map { .string($0) }
            return object
        case .fullText(let expressions, let condition, let language, let ignoresAccents):
            var object: JSONObject = ["type": "fulltext", "expressions": .string(expressions)]
            object["where"] = condition.map { .string($0) }
            object["language"] = language.map { .string($0) }
            if ignoresAccents { object["ignoreAccents"] = true }
            return object
        }
    }
}
