import DocumentValues

/// Lists in `[…]` and maps in `{…}`.
extension YAMLParser {
    /// As the value of an entry, with nothing but a comment behind it.
    mutating func collectionInLines() throws(YAMLFailure) -> YAMLNode {
        let start = cursor.position()
        let node = try collection()
        if isAtValue() { throw .fault(complexKey(at: start)) }
        try finishLine(after: "the closing bracket")
        return node
    }

    private func complexKey(at position: YAMLPosition) -> YAMLFault {
        YAMLFault(at: position, message: "a list or a map is where a key belongs.", hint: "Put a text in quotes.")
    }

    private mutating func collection() throws(YAMLFailure) -> YAMLNode {
        let start = cursor.position()
        let isMap = cursor.byte == UInt8(ascii: "{")
        let end = UInt8(ascii: isMap ? "}" : "]")
        var items: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        cursor.advance()
        while true {
            try skipFlowSpace(of: start)
            guard cursor.byte != end else { break }
            if isMap { entries.append(try flowEntry(of: start)) } else { items.append(try flowItem(of: start)) }
            try skipFlowSpace(of: start)
            if cursor.byte == UInt8(ascii: ",") {
                cursor.advance()
            } else if cursor.byte != end {
                throw expectedComma(isMap: isMap)
            }
        }
        cursor.advance()
        return YAMLNode(isMap ? .map(entries) : .list(items), at: start)
    }

    private mutating func expectedComma(isMap: Bool) -> YAMLFailure {
        let end = isMap ? "}" : "]"
        return fault(
            "',' or '\(end)' is expected here.",
            hint: "Put a text in quotes that holds ',', '[', ']', '{' or '}', or a ':' with a space.")
    }

    /// - Parameter start: of the list or map around it.
    private mutating func flowItem(of start: YAMLPosition) throws(YAMLFailure) -> YAMLNode {
        let item = try flowNode(of: start)
        try skipFlowSpace(of: start)
        guard cursor.byte != UInt8(ascii: ":") else {
            throw fault("':' is in a list.", hint: "Put a pair in {…}, a text in quotes.")
        }
        return item
    }

    private mutating func flowEntry(of start: YAMLPosition) throws(YAMLFailure) -> YAMLEntry {
        try skipProperties()
        let position = cursor.position()
        let line = cursor.line
        let text: String
        switch Unicode.Scalar(cursor.byte) {
        case "[", "{": throw .fault(complexKey(at: position))
        case "\"", "'": text = try quotedText()
        case "?" where cursor.isAtIndicator("?"): throw explicitKey()
        default:
            try checkPlainStart(inFlow: true)
            text = plainLine(inFlow: true)
        }
        let key = try key(text, position: position)
        if cursor.line == line { cursor.skipBlanks() }
        guard cursor.line == line, cursor.byte == UInt8(ascii: ":") else {
            return YAMLEntry(key: key, value: YAMLNode(.text(""), at: cursor.position()))
        }
        cursor.advance()
        try skipFlowSpace(of: start)
        return YAMLEntry(key: key, value: try flowNode(of: start))
    }

    private mutating func flowNode(of start: YAMLPosition) throws(YAMLFailure) -> YAMLNode {
        try skipProperties()
        let position = cursor.position()
        switch Unicode.Scalar(cursor.byte) {
        case "[", "{":
            try enter()
            defer { depth -= 1 }
            return try collection()
        case "\"", "'": return YAMLNode(.text(try quotedText()), at: position)
        case ",", "]", "}", "\n": return YAMLNode(.text(""), at: position)
        default:
            try checkPlainStart(inFlow: true)
            return YAMLNode(.text(try plainFlowText(of: start)), at: position)
        }
    }

    /// - Parameter start: of the innermost list or map that is open.
    mutating func skipFlowSpace(of start: YAMLPosition) throws(YAMLFailure) {
        try skipToContent()
        guard !cursor.hasContent else { return }
        throw .fault(
            YAMLFault(
                at: start, message: "this bracket is never closed.",
                hint: "Put a text that begins with a bracket in quotes."))
    }
}
