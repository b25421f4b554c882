import DocumentValues

/// Channels (or roles) with the sequence since which each is held. The earliest of several grants counts.
public struct TimedSet: Sendable, Hashable {
    public private(set) var since: [Name: UInt64]

    public init(_ since: [Name: UInt64] = [:]) { self.since = since }

    public init(_ names: some Sequence<Name>, at sequence: UInt64) {
        since = Dictionary(names.map { ($0, sequence) }, uniquingKeysWith: { first, _ in first })
    }

    public var names: Set<Name> { Set(since.keys) }
    public var isEmpty: Bool { since.isEmpty }

    public subscript(name: Name) -> UInt64? { since[name] }

    public func contains(_ name: Name) -> Bool { since[name] != nil }

    public mutating func grant(_ name: Name, at sequence: UInt64) {
        since[name] = min(since[name] ?? .max, sequence)
    }

    public mutating func remove(_ name: Name) { since[name] = nil }

    public mutating func formUnion(_ other: TimedSet) {
        for (name, sequence) in other.since { grant(name, at: sequence) }
    }

    /// Each name is held from `sequence` at the earliest: for names held through a role that was granted then.
    public func notBefore(_ sequence: UInt64) -> TimedSet { TimedSet(since.mapValues { max($0, sequence) }) }
}

/// From one sequence up to, not including, another.
public struct SequenceSpan: Sendable, Hashable {
    public var start: UInt64
    public var end: UInt64

    public init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    /// Whether both contain a common sequence.
    public func overlaps(_ other: SequenceSpan) -> Bool { start < other.end && other.start < end }

    /// The common part; if there is none, its start is not before its end.
    func intersection(_ other: SequenceSpan) -> SequenceSpan {
        SequenceSpan(start: max(start, other.start), end: min(end, other.end))
    }
}

/// The spans of former grants, which have ended.
public struct GrantHistory: Sendable, Hashable {
    public private(set) var spans: [Name: [SequenceSpan]]

    public init(_ spans: [Name: [SequenceSpan]] = [:]) { self.spans = spans }

    public var names: Set<Name> { Set(spans.keys) }

    public subscript(name: Name) -> [SequenceSpan] { spans[name] ?? [] }

    /// Notes that `name` was held. If there are more than ten spans, the two oldest are joined.
    public mutating func append(_ span: SequenceSpan, of name: Name) {
        var list = spans[name] ?? []
        list.append(span)
        list.sort { $0.end < $1.end }
        while list.count > AccessLimits.spansPerGrant {
            let joined = SequenceSpan(start: min(list[0].start, list[1].start), end: list[1].end)
            list.replaceSubrange(0...1, with: [joined])
        }
        spans[name] = list
    }
}

/// Names with a meaning of their own.
public enum Channel {
    /// Every document.
    public static let all: Name = "*"
    /// The channel that every user sees, without any grant.
    public static let everybody: Name = "!"

    /// Not empty and without a comma, which separates names in filters.
    public static func isValid(_ name: String) -> Bool { !name.isEmpty && !name.utf8.contains(UInt8(ascii: ",")) }

    /// Whether it has more bytes than a channel's name may have.
    public static func isTooLong(_ name: String) -> Bool { name.utf8.count > AccessLimits.channelNameLength }
}
