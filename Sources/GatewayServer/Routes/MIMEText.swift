/// Text of documents in MIME headers: an id or a type from a client must not become a header of its own.
enum MIMEText {
    /// Control characters and separators of lines as percent signs and two digits for each byte; all else as it is.
    static func value(_ text: String) -> String { escaped(text) { _ in false } }

    /// The same for a text between quotation marks.
    static func quoted(_ text: String) -> String { escaped(text) { $0 == "\"" || $0 == "\\" } }

    /// For text in a header, such as an attachment's type; `nil` if it is longer than clients accept.
    static func short(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= GatewayServerLimits.headerText ? $0 : nil }
    }

    private static func escaped(_ text: String, isMeant: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isControl(scalar) || isMeant(scalar) else {
                result.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                let digits = String(byte, radix: 16, uppercase: true)
                result.append(contentsOf: (byte < 0x10 ? "%0" : "%").unicodeScalars)
                result.append(contentsOf: digits.unicodeScalars)
            }
        }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }
}
