import DocumentValues
import FormLogic

/// What a node of an XForm holds at the start.
enum XFormFirstValue {
    /// Of the instance, or a literal of an action: never evaluated, whatever it looks like.
    case text(String)
    case expression(String)

    var raw: String {
        switch self {
        case .text(let text), .expression(let text): text
        }
    }

    /// As the default of a question, where a text that looks like an expression is one. Such a text becomes an expression
    /// that gives it.
    func defaultValue(for type: QuestionType) -> String {
        guard case .text(let text) = self else { return raw }
        guard DefaultText.isDynamic(text, type: type) else { return text }
        let literal = Self.literal(text)
        return literal.hasPrefix("concat(") ? literal : "string(\(literal))"
    }

    /// An expression whose value is the text: in quotation marks that it does not have, and without references.
    static func literal(_ text: String) -> String {
        let hasReference = text.containsBytes(of: "${")
        if !hasReference, !text.containsBytes(of: "'") { return "'\(text)'" }
        if !hasReference, !text.containsBytes(of: "\"") { return "\"\(text)\"" }
        return "concat(\(parts(of: text).joined(separator: ", ")))"
    }

    /// Literals that hold no apostrophe beside other letters, and no `$` together with its `{`.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var open: [UInt8] = []
        func close() {
            if !open.isEmpty { parts.append("'\(String(decoding: open, as: UTF8.self))'") }
            open = []
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "'"):
                close()
                parts.append("\"'\"")
            case UInt8(ascii: "{") where open.last == UInt8(ascii: "$"):
                close()
                open = [byte]
            default: open.append(byte)
            }
        }
        close()
        return parts
    }
}
