import DocumentValues

/// The patterns that a connection has used last, ready to be matched: nearly all queries have the same one for each row.
final class PatternCache {
    private let meter: WorkMeter
    private var expressions = RecentPatterns<BytePattern>()
    private var likes = RecentPatterns<LikePattern>()

    init(_ meter: WorkMeter) { self.meter = meter }

    /// How many patterns were compiled.
    var compilations: Int { expressions.made + likes.made }

    /// - Throws: `FunctionError` for a text that is no regular expression; `WorkEnded`.
    func expression(_ text: String) throws -> BytePattern {
        try expressions.find(text) {
            try meter.count(min(text.utf8.count, QueryLimits.patternText) * QueryLimits.unitsOfPattern)
            return try BytePattern(text)
        }
    }

    /// - Throws: `WorkEnded`.
    func like(_ text: String) throws -> LikePattern {
        try likes.find(text) { try LikePattern(text, meter: meter) }
    }
}

/// Patterns by their texts: few, since they are compared one by one, and not of more bytes than one may have.
struct RecentPatterns<Pattern> {
    /// The one that was used last is at the end.
    private var entries: [(text: String, pattern: Pattern)] = []
    private var bytes = 0
    private(set) var made = 0

    mutating func find(_ text: String, make: () throws -> Pattern) throws -> Pattern {
        if let last = entries.last, last.text.isExactly(text) { return last.pattern }
        if let index = entries.firstIndex(where: { $0.text.isExactly(text) }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.pattern
        }
        let pattern = try make()
        made += 1
        keep(pattern, text: text)
        return pattern
    }

    private mutating func keep(_ pattern: Pattern, text: String) {
        guard text.utf8.count <= QueryLimits.patternText else { return }
        entries.append((text, pattern))
        bytes += text.utf8.count
        while entries.count > QueryLimits.cachedPatterns || bytes > QueryLimits.patternText {
            bytes -= entries.removeFirst().text.utf8.count
        }
    }
}
