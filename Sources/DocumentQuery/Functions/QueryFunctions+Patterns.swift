import DocumentValues

extension QueryFunctions {
    /// - Parameter steps: the limit of one expression, in addition to those for each byte of the text.
    static func patterns(steps: Int) -> [String: Function] {
        [
            "regexp_contains": { try search($0, steps: steps, context: $1) { .boolean($0 != nil) } },
            "regexp_like": { try search($0, steps: steps, context: $1) { .boolean($0 != nil) } },
            "regexp_position": { try search($0, steps: steps, context: $1) { .integer(Int64($0?.lowerBound ?? -1)) } },
            "regexp_replace": { try replace($0, steps: steps, context: $1) },
        ]
    }

    private static func search(
        _ arguments: [QueryValue], steps: Int, context: FunctionContext, result: (Range<Int>?) -> QueryValue
    ) throws -> QueryValue {
        guard !arguments.contains(where: \.isMissing) else { return .missing }
        guard let text = arguments[0].string, let pattern = arguments[1].string else { return .null }
        let matcher = try context.patterns.expression(pattern)
        var run = PatternRun(matcher, in: Array(text.utf8), steps: steps, meter: context.meter)
        let found = try run.find(from: 0)
        try run.end()
        return result(found?.range)
    }

    private static func replace(
        _ arguments: [QueryValue], steps: Int, context: FunctionContext
    ) throws -> QueryValue {
        guard !arguments.contains(where: \.isMissing) else { return .missing }
        guard let text = arguments[0].string, let pattern = arguments[1].string,
            let template = arguments[2].string
        else { return .null }
        var rest = Int.max
        if arguments.count > 3 {
            guard let count = arguments[3].number else { return .null }
            rest = count < 0 || count >= 1e9 ? .max : Int(count)
        }
        let matcher = try context.patterns.expression(pattern)
        try context.meter.count(template.utf8.count * QueryLimits.unitsOfStep)
        let replacement = ReplacementTemplate(template, groups: matcher.groups)
        let bytes = Array(text.utf8)
        var run = PatternRun(matcher, in: bytes, steps: steps, meter: context.meter)
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while rest > 0, position <= bytes.count, let match = try run.find(from: position) {
            try run.count(replacement.steps)
            try result.append(bytes[copied..<match.range.lowerBound])
            try replacement.append(match, text: bytes, to: &result)
            copied = match.range.upperBound
            position = match.range.isEmpty ? copied + 1 : copied
            rest -= 1
        }
        try result.append(bytes[copied...])
        try run.end()
        return .text(String(decoding: result, as: UTF8.self))
    }
}
