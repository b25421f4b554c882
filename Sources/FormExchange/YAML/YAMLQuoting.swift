import DocumentValues

/// Texts as YAML writes them: without quotes where that reads back as the same text.
enum YAMLQuoting {
    /// - Parameter inFlow: within `{…}` or `[…]`.
    static func scalar(_ text: String, inFlow: Bool) -> String {
        if isPlain(text, inFlow: inFlow) { return text }
        let needsEscapes = text.unicodeScalars.contains { escape($0) != nil && $0 != "\"" && $0 != "\\" }
        if !needsEscapes, !text.utf8.contains(UInt8(ascii: "'")) { return "'\(text)'" }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar) { quoted += escape } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\t": return "\\t"
        default: break
        }
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: return nil
        }
    }

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, !YAMLCursor.isBlank(first), !YAMLCursor.isBlank(last),
            mayBegin(bytes, inFlow: inFlow),
            !text.unicodeScalars.contains(where: { $0 != "\"" && $0 != "\\" && escape($0) != nil })
        else { return false }
        for (index, byte) in bytes.enumerated() {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch Unicode.Scalar(byte) {
            case ":" where YAMLCursor.endsIndicator(next) || inFlow: return false
            case "#" where index > 0 && YAMLCursor.isBlank(bytes[index - 1]): return false
            // YAML 1.1 takes a question mark in brackets for a key.
            case ",", "[", "]", "{", "}", "?": if inFlow { return false }
            default: break
            }
        }
        return true
    }

    private static func mayBegin(_ bytes: [UInt8], inFlow: Bool) -> Bool {
        switch Unicode.Scalar(bytes[0]) {
        case ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`": return false
        case "-", "?", ":":
            let next = bytes.count > 1 ? bytes[1] : 0
            return !inFlow && !YAMLCursor.endsIndicator(next) && !bytes.starts(with: "---".utf8)
        case ".": return !bytes.starts(with: "...".utf8)
        default: return true
        }
    }
}
