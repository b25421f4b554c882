import DocumentValues
import FormLogic

/// The answers that a script hands over: a JSON object, and the members that an object in it has more than once.
package struct ScriptAnswers: Sendable {
    package let object: JSONObject
    /// `point[2]/depth`. Which of the values is meant, nothing says.
    package let repeated: [String]

    /// - Parameter bytes: in UTF-8, perhaps with a byte order mark.
    /// - Throws: `JSONError` where they are no JSON object.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        object = try JSONObject(parsing: bytes)
        repeated = try JSONTopLevel(scanning: bytes).isAmbiguous ? Self.repeatedMembers(of: bytes) : []
    }

    /// In their order, each once, so many as problems of a form are reported.
    private static func repeatedMembers(of bytes: [UInt8]) throws(JSONError) -> [String] {
        let layout = try JSONLayout(of: bytes, depth: JSONLimits.depth, expecting: bytes.count / 16)
        var found: [String] = []
        for index in 0..<layout.count where layout.kind(of: index) == .object {
            var counts: [Name: Int] = [:]
            for name in layout.names(of: index) {
                counts[Name(name), default: 0] += 1
                guard counts[Name(name)] == 2 else { continue }
                guard found.count < FormLimits.problems else { return found }
                found.append(path(of: layout.way(to: index) + [.member(name)]))
            }
        }
        return found
    }

    private static func path(of way: [JSONLayout.Step]) -> String {
        way.reduce(into: "") { path, step in
            switch step {
            case .member(let name): path += (path.isEmpty ? "" : "/") + name
            case .element(let index): path += "[\(index + 1)]"
            }
        }
    }
}
