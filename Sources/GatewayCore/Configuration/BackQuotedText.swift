/// Texts in back quotes, in which administrators of Sync Gateway write functions over several lines: the text between
/// them is used unchanged, including line ends, quotation marks and backslashes.
package enum BackQuotedText {
    private static let backQuote = UInt8(ascii: "`")
    private static let backslash = UInt8(ascii: "\\")
    private static let quotationMark = UInt8(ascii: "\"")

    /// The same text as JSON. If one has no end, all is left unchanged, so that the reader of the JSON reports the
    /// error.
    package static func replaced(in source: [UInt8]) -> [UInt8] {
        guard source.contains(backQuote) else { return source }
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        var isInText = false
        while index < source.count {
            let byte = source[index]
            if isInText {
                if byte == backslash, index + 1 < source.count {
                    result.append(byte)
                    index += 1
                } else if byte == quotationMark {
                    isInText = false
                }
            } else if byte == quotationMark {
                isInText = true
            } else if byte == backQuote {
                guard let end = end(of: source, from: index + 1) else { return source }
                append(source[(index + 1)..<end], to: &result)
                index = end + 1
                continue
            }
            result.append(source[index])
            index += 1
        }
        return result
    }

    /// The next back quote without a backslash before it.
    private static func end(of source: [UInt8], from start: Int) -> Int? {
        source[start...].indices.first { source[$0] == backQuote && ($0 == start || source[$0 - 1] != backslash) }
    }

    private static func append(_ text: ArraySlice<UInt8>, to result: inout [UInt8]) {
        result.append(quotationMark)
        for byte in text {
            switch byte {
            case backslash, quotationMark: result += [backslash, byte]
            case UInt8(ascii: "\n"): result += [backslash, UInt8(ascii: "n")]
            case UInt8(ascii: "\t"): result += [backslash, UInt8(ascii: "t")]
            case UInt8(ascii: "\r"): break
            default: result.append(byte)
            }
        }
        result.append(quotationMark)
    }
}
