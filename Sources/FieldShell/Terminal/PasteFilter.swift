/// Separates pasted text from typed text: terminals put pasted text between two marks if a program has requested that.
struct PasteFilter {
    /// Asks for the marks, and no longer.
    static let begin = "\u{1B}[?2004h"
    static let end = "\u{1B}[?2004l"

    private static let opening = Array("\u{1B}[200~".utf8)
    private static let closing = Array("\u{1B}[201~".utf8)

    private var isPasting = false
    /// The beginning of a mark, as far as it has come.
    private var partial: [UInt8] = []
    /// Line breaks that are passed on once more text follows: the last ones end nothing. An empty line between two paragraphs
    /// is kept; more of them are one.
    private var breaks = 0
    private var hasText = false
    private var endedWithReturn = false

    /// - Returns: the bytes for the line editor.
    mutating func take(_ byte: UInt8) -> [UInt8] {
        let mark = isPasting ? Self.closing : Self.opening
        if mark[partial.count] == byte {
            partial.append(byte)
            guard partial.count == mark.count else { return [] }
            partial = []
            isPasting.toggle()
            breaks = 0
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

    /// Forgets the possible beginning of a mark, such as Escape alone, when its line is called off.
    mutating func forgetBeginning() { partial = [] }

    private mutating func pass(_ byte: UInt8) -> [UInt8] {
        guard isPasting else { return [byte] }
        defer { endedWithReturn = byte == 0x0D }
        if byte == 0x0A || byte == 0x0D {
            // Carriage return and line feed are one break.
            if byte == 0x0D || !endedWithReturn, hasText { breaks = min(breaks + 1, 2) }
            return []
        }
        // A tab would complete, an escape would edit.
        let clean: UInt8? = byte == 0x09 ? 0x20 : byte < 0x20 || byte == 0x7F ? nil : byte
        guard let clean else { return [] }
        hasText = true
        defer { breaks = 0 }
        return Array(String(repeating: String(PastedLines.sign), count: breaks).utf8) + [clean]
    }
}
