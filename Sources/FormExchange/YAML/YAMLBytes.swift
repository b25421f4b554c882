/// The bytes of a text before it is parsed.
enum YAMLBytes {
    /// Without a byte order mark, and with `\n` as the only line end.
    static func prepared(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard bytes.contains(UInt8(ascii: "\r")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            guard byte == UInt8(ascii: "\r") else {
                result.append(byte)
                continue
            }
            let isPair = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
            if !isPair { result.append(UInt8(ascii: "\n")) }
        }
        return result
    }

    /// The first control character that YAML has no use for.
    static func firstForbidden(in bytes: [UInt8]) -> YAMLFault? {
        guard let index = bytes.indices.first(where: { isForbidden(bytes, at: $0) }) else { return nil }
        let lineStart = (bytes[..<index].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let line = bytes[..<lineStart].count { $0 == UInt8(ascii: "\n") } + 1
        let column = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1
        return YAMLFault(
            at: YAMLPosition(line: line, column: column), message: "a control character is in the text.",
            hint: "Remove it, or write it as an escape in \"…\".")
    }

    private static func isForbidden(_ bytes: [UInt8], at index: Int) -> Bool {
        let byte = bytes[index]
        if byte < 0x20 { return byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n") }
        if byte == 0x7F { return true }
        // C1 but for the next line, and U+FFFE and U+FFFF.
        if byte == 0xC2, index + 1 < bytes.count { return bytes[index + 1] < 0xA0 && bytes[index + 1] != 0x85 }
        return byte == 0xEF && index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
    }
}
