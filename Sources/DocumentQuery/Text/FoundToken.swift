import DocumentValues

/// The piece of a query's text that begins at a byte.
struct FoundToken {
    /// A few of its bytes, if it is long.
    let bytes: ArraySlice<UInt8>
    private let isCut: Bool

    private static let pairs = ["||", "==", "!=", "<>", "<=", ">=", "<<", ">>", "&&", "/*", "//", "::", "--"]

    init(_ cursor: QueryCursor, at position: Int) {
        let limit = min(cursor.bytes.count, position + QueryLimits.shownToken + 1)
        let rest = cursor.bytes[min(position, limit)..<limit]
        var length = Self.length(rest)
        isCut = length > QueryLimits.shownToken
        if isCut {
            length -= 1
            // No part of a character.
            while length > 0, rest[rest.startIndex + length] & 0xC0 == 0x80 { length -= 1 }
        }
        bytes = rest.prefix(length)
    }

    private static func length(_ rest: ArraySlice<UInt8>) -> Int {
        guard let first = rest.first else { return 0 }
        if QueryCursor.continuesName(first) { return rest.prefix { QueryCursor.continuesName($0) }.count }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            return rest.dropFirst().firstIndex(of: first).map { $0 - rest.startIndex + 1 } ?? rest.count
        case 0x80...: return 1 + rest.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
        default:
            let two = String(decoding: rest.prefix(2), as: UTF8.self)
            return pairs.contains(two) ? 2 : 1
        }
    }

    var content: String { String(decoding: bytes, as: UTF8.self) }

    /// The word, if it is one without back-ticks.
    var word: String? { bytes.first.map(QueryCursor.beginsName) == true ? content : nil }

    /// As an error shows it, safe to print: in quotation marks, unless it has some.
    var text: String {
        guard let first = bytes.first else { return "the end" }
        let shown = content.printableLine + (isCut ? "…" : "")
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return shown
        default: return "'\(shown)'"
        }
    }
}
