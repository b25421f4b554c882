/// A gateway's position in its changes feed: a sequence, perhaps with the sequence that triggered it, and the one up to
/// which all are known.
///
/// Forms: `7`, `"120:7"` (sent because of an access change at 120), `"100::123"` (all up to 100 are known to be
/// complete), `"100:120:7"`. Clients treat the JSON text as opaque.
public struct SequenceID: Sendable, Hashable, CustomStringConvertible {
    public var low: UInt64
    public var triggeredBy: UInt64
    public var sequence: UInt64

    public init(_ sequence: UInt64, triggeredBy: UInt64 = 0, low: UInt64 = 0) {
        self.sequence = sequence
        self.triggeredBy = triggeredBy
        self.low = low
    }

    public static let zero = SequenceID(0)

    /// Bytes of a text that is read as a sequence: no client writes many zeros in front.
    private static let longestText = 128

    /// Reads the plain form or a JSON text of it, quoted or not; an empty text is 0.
    public init?(parsing text: String) {
        // Read byte by byte, and only up to a limit, because a client may send any text.
        var bytes = text.utf8[...]
        guard bytes.count <= Self.longestText else { return nil }
        let quote = UInt8(ascii: "\"")
        if bytes.count >= 2, bytes.first == quote, bytes.last == quote { bytes = bytes.dropFirst().dropLast() }
        if bytes.isEmpty {
            self = .zero
            return
        }
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        let isMiddleEmpty = parts.count == 3 && parts[1].isEmpty
        let numbers = parts.map { UInt64(Substring($0)) }
        switch numbers.count {
        case 1:
            guard let sequence = numbers[0] else { return nil }
            self.init(sequence)
        case 2:
            guard let triggeredBy = numbers[0], let sequence = numbers[1] else { return nil }
            self.init(sequence, triggeredBy: triggeredBy)
        default:
            guard let low = numbers[0], let sequence = numbers[2] else { return nil }
            guard let triggeredBy = isMiddleEmpty ? 0 : numbers[1] else { return nil }
            self.init(sequence, triggeredBy: triggeredBy, low: low)
        }
    }

    public init?(json: JSONValue) {
        switch json {
        case .number(let number):
            guard let sequence = number.uint64 else { return nil }
            self.init(sequence)
        case .string(let text): self.init(parsing: text)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Without quotation marks.
    ///
    /// Sync Gateway writes `120:123` as `123`, so a client that goes on from there misses the changes between the two.
    /// A row of a revocation may have such a sequence; here it stays before `120`.
    public var description: String {
        if triggeredBy > 0 {
            let prefix = low > 0 && low < triggeredBy ? "\(low):" : ""
            return "\(prefix)\(triggeredBy):\(sequence)"
        }
        return low > 0 && low < sequence ? "\(low)::\(sequence)" : "\(sequence)"
    }

    /// A number when the sequence is plain, else a string, as the protocol writes it.
    public var json: JSONValue {
        triggeredBy == 0 && low == 0 ? .number(JSONNumber(sequence)) : .string(description)
    }

    /// The JSON text: with quotation marks when it is a string. Each row of a feed has one, and nearly all are numbers.
    public var jsonText: String { triggeredBy == 0 && low == 0 ? String(sequence) : json.description }

    /// The sequence from which a feed has to be read again.
    public var safeSequence: UInt64 { low > 0 && low < sequence ? low : sequence }
}

extension SequenceID: Comparable {
    /// The order of a merged feed: a backfilled row `120:7` comes before `120`.
    public static func < (left: SequenceID, right: SequenceID) -> Bool {
        if left.low > 0, right.low > 0 {
            if left.low != right.low { return left.low < right.low }
            return left.isBeforeIgnoringLow(right)
        }
        if left.low > 0 { return left.low < right.position }
        if right.low > 0 { return left.position <= right.low }
        return left.isBeforeIgnoringLow(right)
    }

    private var position: UInt64 { triggeredBy > 0 ? triggeredBy : sequence }

    private func isBeforeIgnoringLow(_ other: SequenceID) -> Bool {
        switch (triggeredBy > 0, other.triggeredBy > 0) {
        case (false, false): sequence < other.sequence
        case (false, true): sequence < other.triggeredBy
        case (true, false): triggeredBy <= other.sequence
        case (true, true):
            triggeredBy < other.triggeredBy || (triggeredBy == other.triggeredBy && sequence < other.sequence)
        }
    }
}
