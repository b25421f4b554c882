import DocumentValues

extension QueryFunctions {
    static let texts: [String: Function] = [
        "length": of { $0.string.map { .integer(Int64($0.unicodeScalars.count)) } ?? .null },
        "lower": ofValue { value, context in
            try value.string.map { .text(try TextCase.lower($0, meter: context.meter)) } ?? .null
        },
        "upper": ofValue { value, context in
            try value.string.map { .text(try TextCase.upper($0, meter: context.meter)) } ?? .null
        },
        "trim": ofValue { try trimmed($0, front: true, back: true, context: $1) },
        "ltrim": ofValue { try trimmed($0, front: true, back: false, context: $1) },
        "rtrim": ofValue { try trimmed($0, front: false, back: true, context: $1) },
        "contains": { arguments, context in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            if arguments.contains(where: \.isNull) { return .null }
            guard let text = arguments[0].string, let part = arguments[1].string, !part.isEmpty else {
                return .boolean(false)
            }
            var search = PartSearch(Array(part.utf8), meter: context.meter)
            return .boolean(try search.isIn(Array(text.utf8)))
        },
        "concat": { arguments, context in
            var result = ""
            for argument in arguments {
                guard let part = argument.concatenated else { return .missing }
                try context.meter.count(part.utf8.count)
                guard result.utf8.count + part.utf8.count <= QueryLimits.resultText else {
                    throw FunctionError.textTooLarge
                }
                result += part
            }
            return .text(result)
        },
        "like": { arguments, context in
            guard let left = arguments[0].likeText, let right = arguments[1].likeText else {
                return arguments.contains(where: \.isMissing) ? .missing : .integer(0)
            }
            let pattern = try context.patterns.like(right)
            return .integer(try pattern.fits(left, meter: context.meter) ? 1 : 0)
        },
        "among": { arguments, context in
            guard !arguments.contains(where: \.isMissing) else { return .missing }
            guard let list = elements(arguments[1]) else { return .null }
            let wanted = try WantedValue(arguments[0], meter: context.meter)
            return .integer(try list.contains { try wanted.isEqual(to: QueryValue($0)) } ? 1 : 0)
        },
    ]

    private static func trimmed(
        _ value: QueryValue, front: Bool, back: Bool, context: FunctionContext
    ) throws -> QueryValue {
        guard let text = value.string else { return value }
        return .text(try TextTrim.trim(text, front: front, back: back, meter: context.meter))
    }
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
    static func upper(_ text: String, meter: WorkMeter) throws -> String {
        try text.changedByScalars(units: QueryLimits.unitsOfCase, meter: meter) { $0.uppercased() }
    }

    /// With the form that a sigma has at the end of a word.
    static func lower(_ text: String, meter: WorkMeter) throws -> String {
        guard text.containsBytes(of: "\u{3A3}") else {
            return try text.changedByScalars(units: QueryLimits.unitsOfCase, meter: meter) { $0.lowercased() }
        }
        // An array of bytes, because a string that grows letter by letter is copied each time.
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var steps = MeteredSteps(meter)
        var isBehindLetter = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            try steps.count(QueryLimits.unitsOfCase / QueryLimits.unitsOfStep)
            let isAtEnd = rest.first?.properties.isAlphabetic != true
            if scalar == "\u{3A3}", isAtEnd, isBehindLetter {
                result += "\u{3C2}".utf8
            } else {
                result += scalar.properties.lowercaseMapping.utf8
            }
            isBehindLetter = scalar.properties.isAlphabetic
        }
        try steps.handOn()
        return String(decoding: result, as: UTF8.self)
    }
}

enum TextTrim {
    static func trim(_ text: String, front: Bool, back: Bool, meter: WorkMeter) throws -> String {
        let scalars = text.unicodeScalars
        let hasSpace = front && scalars.first.map(isSpace) == true || back && scalars.last.map(isSpace) == true
        guard hasSpace else { return text }
        var rest = scalars[...]
        var steps = MeteredSteps(meter)
        while front, let scalar = rest.first, isSpace(scalar) {
            try steps.count()
            rest.removeFirst()
        }
        while back, let scalar = rest.last, isSpace(scalar) {
            try steps.count()
            rest.removeLast()
        }
        try steps.handOn()
        return String(String.UnicodeScalarView(rest))
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}" && scalar != "\u{2007}"
    }
}
