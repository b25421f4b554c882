import Foundation

/// What is typed into terminals and what they are to show, as a file that a person reads: `Fixtures/half-hour.txt` explains it.
struct TerminalScript {
    enum Action {
        /// Somebody turns to the shell of this laptop.
        case laptop(String)
        case event(String)
        /// A line to which the prompt is the end of the answer.
        case command(String)
        /// A line that is answered by what the next steps look for.
        case answer(String)
        /// A line that nothing answers.
        case text(String)
        case interrupt
        /// Typed, but not entered, when the program is killed.
        case typedAndKilled(String)
        case seen(String)
        case seenLine(String)
    }

    struct Step {
        let action: Action
        /// The last heading above it.
        let part: String
        /// From 1.
        let line: Int
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    let steps: [Step]

    /// - Throws: `Fault` for a line that begins with no mark.
    init(_ text: String) throws {
        var steps: [Step] = []
        var part = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let first = line.first, first != "#" else { continue }
            if line.hasPrefix("== ") {
                part = String(line.dropFirst(3))
                continue
            }
            guard let action = Self.action(line) else {
                throw Fault(description: "line \(index + 1) of the script begins with no mark: \(line)")
            }
            steps.append(Step(action: action, part: part, line: index + 1))
        }
        self.steps = steps
    }

    private static func action(_ line: Substring) -> Action? {
        let rest = String(line.dropFirst(2))
        switch line.prefix(2) {
        case "@ ": return .laptop(rest)
        case "* ": return .event(rest)
        case "$ ": return .command(rest)
        case "> ", ">": return .answer(rest)
        case "+ ": return .text(rest)
        case "! ": return .typedAndKilled(rest)
        case "? ": return .seen(rest)
        case "= ": return .seenLine(rest)
        case "^C": return .interrupt
        default: return nil
        }
    }
}

/// A text to be looked for on a screen, with `{date}` for any day, and `{id:canteen}` for an id that is kept by that name.
struct MaskedText {
    private static let masks: [String: String] = [
        "id": "[0-9a-z]{10}", "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}", "time": "[0-9]{2}:[0-9]{2}", "number": "[0-9]+",
        "size": "[0-9.,]+ [KM]?B", "any": ".*?",
    ]

    private let regex: Regex<AnyRegexOutput>
    /// Names of the groups, in their order.
    private let names: [String]

    /// - Parameter known: what was kept.
    /// - Throws: `TerminalScript.Fault` for a mask that there is not.
    init(_ text: String, known: [String: String]) throws {
        var (pattern, names): (String, [String]) = ("", [])
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let fields = rest[rest.index(after: open)..<close].split(separator: ":").map(String.init)
            pattern += Self.escaped(rest[..<open])
            rest = rest[rest.index(after: close)...]
            if let value = known[fields[0]] {
                pattern += Self.escaped(value[...])
            } else if let mask = Self.masks[fields[0]] {
                pattern += fields.count > 1 ? "(\(mask))" : "(?:\(mask))"
                names += fields.dropFirst()
            } else {
                throw TerminalScript.Fault(description: "there is no {\(fields[0])}: \(text)")
            }
        }
        regex = try Regex(pattern + Self.escaped(rest))
        self.names = names
    }

    private static func escaped(_ text: Substring) -> String {
        text.map { sign in sign.isASCII && !sign.isLetter && !sign.isNumber && sign != " " ? "\\\(sign)" : "\(sign)" }
            .joined()
    }

    /// What is kept of it; `nil` where it is not in the text.
    func found(in text: String) throws -> [String: String]? {
        guard let match = try regex.firstMatch(in: text) else { return nil }
        return kept(match.output)
    }

    /// The same of a whole text.
    func matched(by text: String) throws -> [String: String]? {
        guard let match = try regex.wholeMatch(in: text) else { return nil }
        return kept(match.output)
    }

    private func kept(_ output: AnyRegexOutput) -> [String: String] {
        var kept: [String: String] = [:]
        for (index, name) in names.enumerated() { kept[name] = output[index + 1].substring.map(String.init) }
        return kept
    }
}
