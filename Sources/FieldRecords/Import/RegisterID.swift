import DocumentValues

/// The form of a register's id within the ids of records.
///
/// Two ids of which any byte differs never say the same, whichever file they are in and in whichever row: else the site of one
/// register would become that of another. So an id stays as it is where it is plain; of another one the plain letters are
/// kept, for people to recognize, and a digest of all its bytes.
enum RegisterID {
    /// `4711` of `4711`, `12-3-x1f0c9a8b77` of `12/3`.
    static func part(of id: String) -> String {
        let plain = plainPart(of: id)
        if isUnchanged(plain, of: id) { return plain }
        let kept = String(decoding: plain.utf8.prefix(FieldRecordsLimits.plainRegisterID), as: UTF8.self)
        let digest = digestMark + SourceDigest.of([id]).prefix(digestLength)
        return kept.isEmpty ? digest : "\(kept)-\(digest)"
    }

    private static let digestMark = "x"
    private static let digestLength = 10

    /// Small letters and digits, with one `-` for anything else between them.
    private static func plainPart(of id: String) -> String {
        let kept = id.lowercased().unicodeScalars.map { scalar -> UInt8 in
            let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            return isPlain ? UInt8(ascii: scalar) : UInt8(ascii: "-")
        }
        return String(decoding: kept, as: UTF8.self).split(atByte: "-").joined(separator: "-")
    }

    /// Whether the plain part is the id, and no other id has it: neither with its digest, nor as the next row of one that
    /// is there twice.
    private static func isUnchanged(_ plain: String, of id: String) -> Bool {
        guard plain.isExactly(id), plain.utf8.count <= FieldRecordsLimits.plainRegisterID else { return false }
        let parts = plain.split(atByte: "-")
        guard let last = parts.last else { return false }
        let isDigest =
            last.hasExactPrefix(digestMark) && last.utf8.count == digestMark.utf8.count + digestLength
        return !isDigest && (parts.count == 1 || !isOrdinal(last))
    }

    /// `2`, `3` … as `ImportPlan.unusedID(_:)` puts it behind an id.
    private static func isOrdinal(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && !text.hasExactPrefix("0")
    }
}
