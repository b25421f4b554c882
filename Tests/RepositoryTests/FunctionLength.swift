/// A function of a file with a body, and how many lines it takes from its first to its closing brace.
struct FunctionLength {
    let line: Int
    let name: String
    let lines: Int

    /// - Parameter code: the file without comments and texts, as `SwiftCode` has it; formatted, so that a body ends with a
    ///   brace under the beginning of its function.
    static func all(in code: [String]) -> [FunctionLength] {
        code.indices.compactMap { index in
            guard code[index].holds(anyOf: ["func ", "init", "subscript"]), let name = name(in: code[index]),
                let end = end(of: index, in: code)
            else { return nil }
            return FunctionLength(line: index + 1, name: name, lines: end - index + 1)
        }
    }

    /// Of the function that is declared there, behind attributes and modifiers only. No regular expression: they take seconds
    /// for all files.
    private static func name(in line: String) -> String? {
        let parts = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard let first = parts.first else { return nil }
        if first == "func" { return parts.dropFirst().first.map { String($0.prefix { $0 != "(" && $0 != "<" }) } }
        return ["init", "deinit", "subscript"].first { kind in
            first.hasPrefix(kind)
                && (first.dropFirst(kind.count).first.map { "?!(<".contains($0) } ?? (kind == "deinit"))
        }
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "static", "class", "final", "override", "mutating",
        "nonmutating", "nonisolated", "convenience", "required", "consuming", "borrowing", "prefix", "postfix", "infix",
    ]

    /// The index of its last line; `nil` for one without a body.
    private static func end(of start: Int, in code: [String]) -> Int? {
        let margin = indentation(of: code[start])
        for index in start..<code.count {
            let line = code[index]
            if index > start, indentation(of: line) <= margin, !goesOn(line) { return nil }
            let (opened, closed) = (line.utf8.count { $0 == brace }, line.utf8.count { $0 == closingBrace })
            if opened > closed {
                return code[(index + 1)...].firstIndex {
                    indentation(of: $0) == margin && $0.utf8.contains(closingBrace)
                }
            }
            // In one line; a default value may have braces, too.
            if opened > 0, index == start || indentation(of: line) == margin { return index }
        }
        return nil
    }

    /// Whether the declaration of the line before goes on in this one.
    private static func goesOn(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return [")", "{", "->", "where", "async", "throws", "rethrows", ">"].contains { text.hasPrefix($0) }
    }

    private static func indentation(of line: String) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

    private static let brace = UInt8(ascii: "{")
    private static let closingBrace = UInt8(ascii: "}")
}
