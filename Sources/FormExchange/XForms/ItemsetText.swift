import DocumentValues

/// The choices of a select: an instance's items, perhaps filtered, and perhaps in `randomize(…, 7)`.
struct ItemsetText {
    enum Source {
        case instance(String)
        /// A path to the instances of a repeat.
        case nodes(String)
    }

    let source: Source
    /// The predicate without its brackets.
    let filter: String?
    let isRandomized: Bool
    let seed: String?

    init(_ text: String) {
        var rest = text.trimmingSpaces
        if let inner = Self.argument(of: "randomize", in: rest) {
            let arguments = Self.arguments(inner)
            isRandomized = true
            seed = arguments.dropFirst().first?.trimmingSpaces
            rest = arguments.first?.trimmingSpaces ?? ""
        } else {
            isRandomized = false
            seed = nil
        }
        let (path, filter) = Self.cut(rest)
        self.filter = filter
        if let id = path.firstMatch(of: /^instance\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/) {
            source = .instance(String(id.1 ?? id.2 ?? ""))
        } else {
            source = .nodes(path)
        }
    }

    private static func argument(of function: String, in text: String) -> String? {
        guard let rest = text.droppingExactPrefix(function)?.trimmingSpaces, rest.hasPrefix("("), rest.hasSuffix(")")
        else { return nil }
        return String(Substring(rest.utf8.dropFirst().dropLast()))
    }

    /// The parts between commas that are in no parentheses, brackets or quotation marks.
    private static func arguments(_ text: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var nesting = Nesting()
        for byte in text.utf8 {
            nesting.pass(byte)
            if byte == UInt8(ascii: ","), nesting.isOutside {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path, and its predicates joined with `and`.
    private static func cut(_ text: String) -> (String, filter: String?) {
        var path: [UInt8] = []
        var filters: [[UInt8]] = []
        var nesting = Nesting()
        for byte in text.utf8 {
            let wasOutside = nesting.brackets == 0
            nesting.pass(byte)
            if wasOutside, nesting.brackets == 1 {
                filters.append([])
            } else if nesting.brackets > 0 {
                filters[filters.count - 1].append(byte)
            } else if wasOutside {
                path.append(byte)
            }
        }
        // Spaces at its ends may be those around a reference.
        let texts = filters.map { String(decoding: $0, as: UTF8.self) }
        let filter = texts.count > 1 ? texts.map { "(\($0))" }.joined(separator: " and ") : texts.first
        return (String(decoding: path, as: UTF8.self).trimmingSpaces, filter)
    }

    /// Where in an expression a byte is.
    private struct Nesting {
        private(set) var brackets = 0
        private var parentheses = 0
        private var quote: UInt8?

        var isOutside: Bool { brackets == 0 && parentheses == 0 && quote == nil }

        mutating func pass(_ byte: UInt8) {
            if let open = quote {
                if byte == open { quote = nil }
                return
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses -= 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            default: break
            }
        }
    }
}
