/// Where a byte of a text is, for people: its line, its column, and the text around it in this line, safe to print.
package struct TextExcerpt: Sendable, Hashable {
    /// From 1.
    package let line: Int
    /// From 1, in characters of Unicode (scalars) of this line.
    package let column: Int
    /// Whether the text has other lines as well.
    package let isOneOfSeveral: Bool
    /// The line up to the byte, at most `TextLimits.excerptBefore` characters; `…` stands for those that are left out.
    package let before: String
    /// The line from the byte on, at most `TextLimits.excerptBehind` characters.
    package let behind: String

    /// - Parameter position: the byte, from 0; the number of bytes means the end. A byte within a character means this one.
    /// - Complexity: the length of the text.
    package init(_ text: String, at position: Int) { self.init(Array(text.utf8), at: position) }

    /// - Parameter bytes: UTF-8.
    package init(_ bytes: [UInt8], at position: Int) {
        var index = max(0, min(position, bytes.count))
        while index < bytes.count, index > 0, Self.isContinuation(bytes[index]) { index -= 1 }
        let lineEnd: UInt8 = 0x0A
        let start = bytes[..<index].lastIndex(of: lineEnd).map { $0 + 1 } ?? 0
        line = bytes[..<start].count { $0 == lineEnd } + 1
        column = bytes[start..<index].count { !Self.isContinuation($0) } + 1
        isOneOfSeveral = bytes.contains(lineEnd)
        before = Self.end(of: bytes[start..<index])
        behind = Self.beginning(of: bytes[index...])
    }

    /// `Column 9`, or `Line 2, column 9` in a text of several lines.
    package var lineAndColumn: String { isOneOfSeveral ? "Line \(line), column \(column)" : "Column \(column)" }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func end(of part: ArraySlice<UInt8>) -> String {
        var first = part.endIndex
        var count = 0
        while first > part.startIndex, count < TextLimits.excerptBefore {
            first -= 1
            if !isContinuation(part[first]) { count += 1 }
        }
        return (first > part.startIndex ? "…" : "") + shown(part[first...])
    }

    private static func beginning(of part: ArraySlice<UInt8>) -> String {
        var end = part.startIndex
        var count = 0
        while end < part.endIndex, part[end] != 0x0A {
            if !isContinuation(part[end]) { count += 1 }
            guard count <= TextLimits.excerptBehind else { return shown(part[..<end]) + "…" }
            end += 1
        }
        let hasReturn = end > part.startIndex && part[end - 1] == 0x0D
        return shown(part[..<(hasReturn ? end - 1 : end)])
    }

    /// A tab would have another width in each column.
    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self).printableLine
    }
}
