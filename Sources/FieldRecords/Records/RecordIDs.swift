import FieldModels

/// Makes the ids of new records: short enough to be read aloud, long enough that two laptops never make the same.
public enum RecordIDs {
    /// Without letters and digits that look alike, so 32 of them.
    private static let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz0".unicodeScalars)
    /// 50 bits: among a million records of one kind the chance of any two alike is one in two thousand, and a record
    /// that exists is never overwritten.
    private static let length = 10

    /// Such as `inspection-k3m9x2pq7d`.
    public static func make(
        _ kind: RecordKind, using generator: inout some RandomNumberGenerator
    ) -> String {
        kind.rawValue + "-" + text(ofLength: length, using: &generator)
    }

    /// Whether a laptop may have made an id. Such ids cannot be guessed, so gateways let every user make new records
    /// with them.
    public static func isMade(_ id: String) -> Bool {
        RecordKind.allCases.contains { kind in
            let prefix = "\(kind.rawValue)-".utf8
            guard id.utf8.starts(with: prefix), id.utf8.count == prefix.count + length else { return false }
            return id.unicodeScalars.suffix(length).allSatisfy(alphabet.contains)
        }
    }

    static func text(ofLength length: Int, using generator: inout some RandomNumberGenerator) -> String {
        var text = ""
        for _ in 0..<length {
            text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
        }
        return text
    }
}
