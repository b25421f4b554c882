import DocumentValues

/// The path of a file as it is typed, dragged into a terminal or copied from a file manager.
enum TypedPath {
    /// Without the quotes, escapes or address around it. `~` stays, since only the caller knows whose folder it is.
    static func of(_ text: String) -> String {
        let typed = text.trimmingSpaces
        let bytes = Array(typed.utf8)
        for quote in [UInt8(ascii: "'"), UInt8(ascii: "\"")]
        where bytes.count >= 2 && bytes.first == quote && bytes.last == quote {
            return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        if let address = typed.droppingExactPrefix("file://") { return PercentText.decoded(address) }
        return withoutEscapes(bytes)
    }

    /// `a\ b` is `a b`.
    private static func withoutEscapes(_ bytes: [UInt8]) -> String {
        var path: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            path.append(byte)
            isEscaped = false
        }
        return String(decoding: path, as: UTF8.self)
    }
}
