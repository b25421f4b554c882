import DocumentValues

extension QueryFunctions {
    static let patterns: [String: Function] = [
        "regexp_contains": plain { try search($0) { .boolean($0 != nil) } },
        "regexp_like": plain { try search($0) { .boolean($0 != nil) } },
        "regexp_position": plain { try search($0) { .integer(Int64($0?.lowerBound ?? -1)) } },
        "regexp_replace": plain(replace),
    ]

    private static func search(
        _ arguments: [QueryValue], result: (Range<Int>?) -> QueryValue
    ) throws -> QueryValue {
        guard !arguments.contains(where: \.isMissing) else { return .missing }
        guard let text = arguments[0].string, let pattern = arguments[1].string else { return .null }
        let matcher = try BytePattern(pattern)
        var run = BytePattern.Run(Array(text.utf8))
        return result(try run.find(matcher, from: 0)?.range)
    }

    @Sendable private static func replace(_ arguments: [QueryValue]) throws -> QueryValue {
        guard !arguments.contains(where: \.isMissing) else { return .missing }
        guard let text = arguments[0].string, let pattern = arguments[1].string,
            let template = arguments[2].string
        else { return .null }
        var rest = Int.max
        if arguments.count > 3 {
            guard let count = arguments[3].number else { return .null }
            rest = count < 0 || count >= 1e9 ? .max : Int(count)
        }
        let matcher = try BytePattern(pattern)
        let bytes = Array(text.utf8)
        var run = BytePattern.Run(bytes)
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while rest > 0, position <= bytes.count, let match = try run.find(matcher, from: position) {
            result += bytes[copied..<match.range.lowerBound]
            match.append(Array(template.utf8), text: bytes, to: &result)
            guard result.count <= QueryLimits.resultText else { throw FunctionError("string too large") }
            copied = match.range.upperBound
            position = match.range.isEmpty ? copied + 1 : copied
            rest -= 1
        }
        return .text(String(decoding: result + bytes[copied...], as: UTF8.self))
    }
}
