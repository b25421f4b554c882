/// The requested part of a `Range` header.
enum ByteRange: Sendable, Hashable {
    /// The whole content: there is no header, it is not understood, or it requests everything.
    case whole
    case part(Range<Int>)
    /// 416: it begins behind the end.
    case outside

    /// One range of `bytes=a-b`, `bytes=a-` or `bytes=-n`; others are ignored.
    init(_ header: String?, length: Int) {
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else {
            self = .whole
            return
        }
        let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(Self.isNumber) else {
            self = .whole
            return
        }
        self = Self.make(first: parts[0], last: parts[1], length: length)
    }

    private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    private static func make(first: Substring, last: Substring, length: Int) -> ByteRange {
        // Numbers that are too large count as the largest.
        let end = last.isEmpty ? Int.max : Int(last) ?? .max
        guard !first.isEmpty else {
            guard !last.isEmpty else { return .whole }
            return end == 0 || length == 0 ? .outside : end >= length ? .whole : .part(length - end..<length)
        }
        let start = Int(first) ?? .max
        guard start < length else { return .outside }
        guard start <= end else { return .whole }
        let range = start..<min(end, length - 1) + 1
        return range.count == length ? .whole : .part(range)
    }
}
