/// One change in a version vector: its time and its source.
public struct Version: Sendable, Hashable, CustomStringConvertible {
    /// Nanoseconds since 1970, whose low 16 bits count the changes within one step of the clock; never 0.
    public let time: UInt64
    public let source: VersionSource

    /// - Returns: `nil` for a time of 0.
    public init?(time: UInt64, source: VersionSource) {
        guard time > 0 else { return nil }
        self.time = time
        self.source = source
    }

    /// Reads `time@source`: 1 to 16 hexadecimal digits, and a source in its canonical form. `*`, which means the
    /// database itself, is not valid outside of it.
    public init?(_ text: Substring) {
        let bytes = text.utf8
        guard let separator = bytes.firstIndex(of: UInt8(ascii: "@")), let time = Self.time(in: bytes[..<separator]),
            let source = VersionSource(text[bytes.index(after: separator)...])
        else { return nil }
        self.init(time: time, source: source)
    }

    public init?(_ text: String) { self.init(Substring(text)) }

    private static func time(in digits: Substring.UTF8View) -> UInt64? {
        guard (1...16).contains(digits.count) else { return nil }
        var time: UInt64 = 0
        for byte in digits {
            guard let digit = Hexadecimal.digit(byte) else { return nil }
            time = time << 4 | UInt64(digit)
        }
        return time
    }

    public var description: String { String(time, radix: 16) + "@" + source.description }
}

extension Version: Comparable {
    /// By time, then by source. Between sources this does not show which version descends from which: clocks differ.
    public static func < (left: Version, right: Version) -> Bool {
        if left.time != right.time { return left.time < right.time }
        return left.source.description.utf8.lexicographicallyPrecedes(right.source.description.utf8)
    }
}
