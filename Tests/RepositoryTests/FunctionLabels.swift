/// A function of a file, with the names of those parameters that a caller gives without a label.
struct FunctionLabels {
    let line: Int
    let name: String
    let unlabelled: [String]
    /// Whether the last parameter is one of `unlabelled`.
    let endsUnlabelled: Bool

    /// - Parameter code: the file without comments and texts, as `SwiftCode` has it.
    static func all(in code: [String]) -> [FunctionLabels] {
        guard code.contains(where: { $0.contains("_ ") }) else { return [] }
        var reader = Reader(code.joined(separator: "\n"))
        return reader.functions()
    }
}

extension FunctionLabels {
    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0
        private var line = 1

        init(_ text: String) { bytes = Array(text.utf8) }

        mutating func functions() -> [FunctionLabels] {
            var found: [FunctionLabels] = []
            while position < bytes.count {
                guard Self.isPartOfName(bytes[position]) else {
                    advance()
                    continue
                }
                // `.init(` is a call.
                let isCall = position > 0 && bytes[position - 1] == UInt8(ascii: ".")
                let word = name()
                switch word {
                case "func":
                    let start = line
                    skipSpaces()
                    if let function = function(name(), at: start) { found.append(function) }
                case "init" where !isCall:
                    if let function = function(word, at: line) { found.append(function) }
                default: break
                }
            }
            return found
        }

        /// Reads generic parameters, if there are some, and then the parameters; nil where none come.
        private mutating func function(_ name: String, at line: Int) -> FunctionLabels? {
            // An operator; `<` begins no generic parameters there.
            guard !name.isEmpty else { return nil }
            while position < bytes.count, bytes[position] == UInt8(ascii: "?") || bytes[position] == UInt8(ascii: "!") {
                advance()
            }
            if position < bytes.count, bytes[position] == UInt8(ascii: "<") { _ = balanced() }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "(") else { return nil }
            let parameters = balanced().map(Self.unlabelledName)
            return FunctionLabels(
                line: line, name: name, unlabelled: parameters.compactMap { $0 },
                endsUnlabelled: parameters.last.map { $0 != nil } ?? false)
        }

        /// The text between this bracket and its partner, cut at the commas.
        private mutating func balanced() -> [String] {
            var (depth, parts, part): (Int, [String], [UInt8]) = (0, [], [])
            repeat {
                let byte = bytes[position]
                let isArrow = byte == UInt8(ascii: ">") && bytes[position - 1] == UInt8(ascii: "-")
                if "([{<".utf8.contains(byte) { depth += 1 }
                if ")]}>".utf8.contains(byte), !isArrow { depth -= 1 }
                if depth == 1, byte == UInt8(ascii: ",") {
                    parts.append(String(decoding: part.dropFirst(parts.isEmpty ? 1 : 0), as: UTF8.self))
                    part = []
                } else {
                    part.append(byte)
                }
                advance()
            } while depth > 0 && position < bytes.count
            parts.append(String(decoding: part.dropFirst(parts.isEmpty ? 1 : 0), as: UTF8.self))
            return parts
        }

        /// `body` of `@escaping _ body: () -> Void`; nil where there is a label.
        private static func unlabelledName(_ parameter: String) -> String? {
            let parts = parameter.split(whereSeparator: \.isWhitespace).drop { $0.hasPrefix("@") }
            guard parts.first == "_", let name = parts.dropFirst().first else { return nil }
            return String(name.prefix { $0 != ":" })
        }

        private mutating func name() -> String {
            let start = position
            while position < bytes.count, Self.isPartOfName(bytes[position]) { advance() }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func skipSpaces() {
            while position < bytes.count, bytes[position] == UInt8(ascii: " ") { advance() }
        }

        private mutating func advance() {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }

        private static func isPartOfName(_ byte: UInt8) -> Bool {
            byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`")
                || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
    }
}
