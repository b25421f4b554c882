import DocumentValues
import FormLogic

/// Reads texts, and answers of one letter.
enum TextReader {
    /// As it is typed.
    ///
    /// - Throws: `AnswerRefusal` for a text that is too long.
    static func text(_ text: String, for question: AskedQuestion) throws(AnswerRefusal) -> AnswerOutcome {
        guard text.utf8.count <= FormLimits.answer else { throw .textTooLong(text.utf8.count) }
        let isOdd = question.hasAppearance("numbers") && !PlainDigits.of(text).utf8.allSatisfy { isNumeric($0) }
        return .answer(.text(text), notes: isOdd ? [.lettersAmongNumbers] : [])
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2C, 0x2D, 0x2E, 0x20].contains(byte)
    }

    /// Without white space at its ends, which some scanners send.
    static func barcode(_ text: String) -> AnswerOutcome { .answer(.text(text.trimmingSpaces), notes: []) }

    /// - Throws: `AnswerRefusal` for a text that is neither consent nor refusal.
    static func acknowledgement(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        let folded = FoldedText.of(text)
        if folded.isEmpty { return .answer(.text("OK"), notes: []) }
        return switch YesOrNo(folded) {
        case .yes: .answer(.text("OK"), notes: [])
        case .no: .cleared
        case nil: throw .notYesOrNo(text)
        }
    }
}
