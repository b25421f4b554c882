/// Text that was pasted while one line was asked for: its line breaks are shown as a sign, and the line is entered by a
/// person, so that three lines never answer three questions.
enum PastedLines {
    /// Represents a line break while the line is edited.
    static let sign: Unicode.Scalar = "\u{23CE}"

    /// With line breaks, where the answer may have several lines.
    static func restored(_ text: String) -> String { replaced(text, by: "\n") }

    /// As one line.
    static func joined(_ text: String) -> String { replaced(text, by: " ") }

    private static func replaced(_ text: String, by other: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.lazy.map { $0 == sign ? other : $0 })
        return String(scalars).trimmingSpaces
    }
}

/// Finds what is pasted among what is typed: terminals put it between two marks where a program has asked for that.
struct PasteFilter {
    /// Asks for the marks, and no longer.
    static let begin = "\u{1B}[?2004h"
    static let end = "\u{1B}[?2004l"

    private static let opening = Array("\u{1B}[200~".utf8)
    private static let closing = Array("\u{1B}[201~".utf8)

    private var isPasting = false
    /// The beginning of a mark, as far as it has come.
    private var partial: [UInt8] = []
    /// A line break that is passed on once more text follows: the last one ends nothing.
    private var hasBreak = false
    private var hasText = false
    private var endedWithReturn = false

    /// - Returns: what is to be edited.
    mutating func take(_ byte: UInt8) -> [UInt8] {
        let mark = isPasting ? Self.closing : Self.opening
        if mark[partial.count] == byte {
            partial.append(byte)
            guard partial.count == mark.count else { return [] }
            partial = []
            isPasting.toggle()
            hasBreak = false
            hasText = false
            endedWithReturn = false
            return []
        }
        let held = partial
        partial = []
        // Only the first byte of a mark can begin another.
        if byte == mark[0] {
            partial = [byte]
            return held.flatMap { pass($0) }
        }
        return (held + [byte]).flatMap { pass($0) }
    }

    private mutating func pass(_ byte: UInt8) -> [UInt8] {
        guard isPasting else { return [byte] }
        defer { endedWithReturn = byte == 0x0D }
        if byte == 0x0A || byte == 0x0D {
            // Carriage return and line feed are one break.
            if byte == 0x0D || !endedWithReturn { hasBreak = hasBreak || hasText }
            return []
        }
        // A tab would complete, an escape would edit.
        let clean: UInt8? = byte == 0x09 ? 0x20 : byte < 0x20 || byte == 0x7F ? nil : byte
        guard let clean else { return [] }
        hasText = true
        defer { hasBreak = false }
        return (hasBreak ? Array(String(PastedLines.sign).utf8) : []) + [clean]
    }
}
