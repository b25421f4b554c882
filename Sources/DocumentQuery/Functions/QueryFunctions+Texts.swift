import DocumentValues

extension QueryFunctions {
    static let texts: [String: Function] = [
        "length": of { $0.string.map { .integer(Int64($0.unicodeScalars.count)) } ?? .null },
        "lower": of { $0.string.map { .text(TextCase.lower($0)) } ?? .null },
        "upper": of { $0.string.map { .text($0.uppercased()) } ?? .null },
        "trim": of { $0.string.map { .text(TextTrim.trim($0, front: true, back: true)) } ?? $0 },
        "ltrim": of { $0.string.map { .text(TextTrim.trim($0, front: true, back: false)) } ?? $0 },
        "rtrim": of { $0.string.map { .text(TextTrim.trim($0, front: false, back: true)) } ?? $0 },
        "contains": plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            if arguments.contains(where: \.isNull) { return .null }
            guard let text = arguments[0].string, let part = arguments[1].string, !part.isEmpty else {
                return .boolean(false)
            }
            return .boolean(Array(text.utf8).hasPart(Array(part.utf8)))
        },
        "concat": plain { arguments in
            var result = ""
            for argument in arguments {
                guard let part = argument.concatenated else { return .missing }
                result += part
                guard result.utf8.count <= QueryLimits.resultText else { throw FunctionError("string too large") }
            }
            return .text(result)
        },
        "like": plain { arguments in
            guard let left = arguments[0].likeText, let right = arguments[1].likeText else {
                return arguments.contains(where: \.isMissing) ? .missing : .integer(0)
            }
            return .integer(try LikePattern.matches(left, pattern: right) ? 1 : 0)
        },
        "among": plain { arguments in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let list = elements(arguments[1]) else { return .null }
            return .integer(list.contains { QueryValue($0).compared(to: arguments[0]) == 0 } ? 1 : 0)
        },
    ]
}

extension QueryValue {
    /// The text that LIKE compares: a text itself, numbers and booleans as SQLite writes them.
    fileprivate var likeText: String? {
        switch self {
        case .text(let text): text
        case .boolean(let value): value ? "1" : "0"
        case .integer, .real: concatenated
        case .missing, .null, .container: nil
        }
    }
}

enum TextCase {
    /// With the form that a sigma has at the end of a word.
    static func lower(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.contains("\u{3A3}") else { return text.lowercased() }
        // An array of bytes, because a string that grows letter by letter is copied each time.
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for (index, scalar) in scalars.enumerated() {
            let isLast = index + 1 == scalars.count || !scalars[index + 1].properties.isAlphabetic
            if scalar == "\u{3A3}", isLast, index > 0, scalars[index - 1].properties.isAlphabetic {
                result += "\u{3C2}".utf8
            } else {
                result += scalar.properties.lowercaseMapping.utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

enum TextTrim {
    static func trim(_ text: String, front: Bool, back: Bool) -> String {
        let scalars = text.unicodeScalars
        let hasSpace = front && scalars.first.map(isSpace) == true || back && scalars.last.map(isSpace) == true
        guard hasSpace else { return text }
        var rest = scalars[...]
        if front { while let scalar = rest.first, isSpace(scalar) { rest.removeFirst() } }
        if back { while let scalar = rest.last, isSpace(scalar) { rest.removeLast() } }
        return String(String.UnicodeScalarView(rest))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}" && scalar != "\u{2007}"
    }
}

/// `%` is any text, `_` one code point; a backslash makes the next character plain.
enum LikePattern {
    private enum Part: Equatable {
        case any, one
        case scalar(Unicode.Scalar)
    }

    static func matches(_ text: String, pattern: String) throws -> Bool {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                parts.append(.scalar(scalar))
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                parts.append(scalar == "%" ? .any : scalar == "_" ? .one : .scalar(scalar))
            }
        }
        if isEscaped { return false }
        return try matches(Array(text.unicodeScalars), parts: parts)
    }

    /// It is enough to return to the last `%`.
    private static func matches(_ text: [Unicode.Scalar], parts: [Part]) throws -> Bool {
        var (position, part) = (0, 0)
        var stepsBack = QueryLimits.patternSteps + text.count * QueryLimits.likeStepsBack
        var mark: (position: Int, part: Int)?
        while position < text.count {
            if part < parts.count, parts[part] == .any {
                mark = (position, part)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[position]) {
                position += 1
                part += 1
            } else if let last = mark {
                stepsBack -= position - last.position
                guard stepsBack >= 0 else { throw FunctionError("The pattern of LIKE takes too long") }
                mark = (last.position + 1, last.part)
                (position, part) = (last.position + 1, last.part + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .any }
    }
}
