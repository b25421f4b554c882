/// A public function of a file that throws, with the comment in front of it.
struct ThrowingFunction {
    let line: Int
    let name: String
    /// Its lines, without the slashes.
    let comment: [String]

    /// Without deprecated ones, those that throw the errors of a closure alone, and those that `Codable` calls.
    ///
    /// - Parameters:
    ///   - code: the file without comments and texts, as `SwiftCode` has it, a line each.
    ///   - text: the same lines with them.
    static func all(in code: [String], text: [Substring]) -> [ThrowingFunction] {
        code.indices.compactMap { index in
            guard let name = name(in: code[index]), !ofCoding.contains(where: { code[index].contains($0) }),
                declaration(at: index, in: code).split(separator: " ").contains(where: { $0.hasPrefix("throws") })
            else { return nil }
            var (first, comment) = (index, [String]())
            while first > 0, !code[first - 1].isEmpty || isComment(text[first - 1]) {
                first -= 1
                let isAttribute = code[first].drop { $0 == " " }.hasPrefix("@")
                if isAttribute, code[first].contains("deprecated") { return nil }
                guard isAttribute || isComment(text[first]) else { break }
                if !isAttribute { comment.insert(String(text[first].drop { $0 == " " || $0 == "/" }), at: 0) }
            }
            return ThrowingFunction(line: index + 1, name: name, comment: comment)
        }
    }

    private static let ofCoding = ["init(from decoder:", "func encode(", "func decode("]

    /// Whether it names an error, or the call whose errors it has.
    var namesErrors: Bool {
        comment.contains { line in line.hasPrefix("- Throws: ") && line.count > "- Throws: ".count }
    }

    private static func isComment(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("//") }

    private static func name(in line: String) -> String? {
        let parts = line.split(separator: " ")
        guard let access = parts.firstIndex(of: "public"), !line.contains("@available") else { return nil }
        let rest = parts[access...]
        if let function = rest.firstIndex(of: "func"), function + 1 < rest.endIndex {
            return String(rest[function + 1].prefix { $0 != "(" && $0 != "<" })
        }
        if rest.contains("var") { return rest.last == "{" || rest.contains("{") ? "property" : nil }
        return rest.first { $0.hasPrefix("init(") || $0.hasPrefix("init<") || $0.hasPrefix("subscript(") }.map {
            String($0.prefix { $0 != "(" && $0 != "<" })
        }
    }

    /// The text from the name to the body, without the part in brackets, where closures are that throw. Of a property it is the
    /// beginning of its body, which may be `get throws`.
    private static func declaration(at index: Int, in code: [String]) -> String {
        if code[index].contains(" var ") { return code[index...].prefix(2).joined(separator: " ") }
        var (depth, found) = (0, "")
        for line in code[index...].prefix(longest) {
            for character in line {
                switch character {
                case "(", "[": depth += 1
                case ")", "]": depth -= 1
                case "{" where depth == 0: return found
                default: if depth == 0 { found.append(character) }
                }
            }
            found.append(" ")
        }
        return found
    }

    /// Lines of a declaration.
    private static let longest = 15
}
