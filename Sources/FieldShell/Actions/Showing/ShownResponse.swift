import DocumentValues
import FieldModels
import FieldRecords

/// The answers of a filled form, a line each.
enum ShownResponse {
    /// `point[2]/about/depth: 18`, in the order of the answers.
    static func lines(_ answers: JSONObject) -> [String] {
        var lines: [String] = []
        var open = members(answers, path: "")
        while let (path, value) = open.popLast() {
            switch value {
            case .object(let object):
                if object["latitude"] != nil || object["blob"] != nil {
                    lines.append("\(path): \(text(object))")
                } else {
                    open += members(object, path: path + "/")
                }
            case .array(let elements):
                let objects = elements.compactMap(\.objectValue)
                if objects.isEmpty || objects.contains(where: { $0["latitude"] != nil }) {
                    lines.append("\(path): \(elements.map(text).joined(separator: " "))")
                } else {
                    open += objects.enumerated().reversed().map { ("\(path)[\($0.offset + 1)]", .object($0.element)) }
                }
            case .null, .bool, .number, .string: lines.append("\(path): \(text(value))")
            }
        }
        return lines.map(\.printableLine)
    }

    private static func members(_ object: JSONObject, path: String) -> [(String, JSONValue)] {
        object.members.filter { !$0.key.hasExactPrefix("@") }.map { (path + $0.key, $0.value) }.reversed()
    }

    private static func text(_ value: JSONValue) -> String {
        value.objectValue.map { text($0) } ?? value.text ?? value.description
    }

    private static func text(_ object: JSONObject) -> String {
        if let name = object["name"]?.stringValue { return name }
        return ["latitude", "longitude"].compactMap { object[$0]?.text }.joined(separator: " ")
    }

    /// `depth (version 6): 18`.
    static func former(_ entries: [JSONObject]) -> [String] {
        entries.map { entry in
            let name = entry["path"]?.stringValue ?? ""
            let version = entry["version"]?.text.map { " (version \($0))" } ?? ""
            return "\(name)\(version): \(entry["value"].map(text) ?? "")".printableLine
        }
    }

    /// `/data/depth: could not be reached`.
    static func remarks(_ entries: [JSONObject]) -> [String] {
        entries.map { entry in
            [entry["question"]?.text, entry["text"]?.text].compactMap(\.self).joined(separator: ": ").printableLine
        }
    }

    /// `R1 /data/total: number`.
    static func reports(_ entries: [JSONObject]) -> [String] {
        entries.map { entry in
            ["code", "question", "expression"].compactMap { entry[$0]?.text }.joined(separator: " ").printableLine
        }
    }
}
