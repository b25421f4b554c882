import DocumentValues

/// Lists with `-` and maps with a line an entry. What belongs together is indented alike.
extension YAMLParser {
    /// The value at the cursor, which is at its first byte.
    ///
    /// - Parameters:
    ///   - indent: of the entry that it belongs to; the value's further lines are indented more.
    ///   - startsBlock: whether a list or map of lines may begin here: behind a `-`, or at the beginning of a line.
    mutating func node(inside indent: Int, startsBlock: Bool) throws(YAMLFailure) -> YAMLNode {
        try enter()
        defer { depth -= 1 }
        try skipProperties()
        guard !cursor.isAtBreak, !cursor.isAtComment else { return try nodeBelow(indent: indent) }
        if cursor.isAtIndicator("-") {
            guard startsBlock else {
                throw fault("a list begins behind a key.", hint: "Begin it in the next line.")
            }
            return try list(at: cursor.column)
        }
        if cursor.isAtIndicator("?") { throw explicitKey() }
        let position = cursor.position()
        switch Unicode.Scalar(cursor.byte) {
        case "|", ">": return YAMLNode(.text(try blockText(inside: indent)), at: position)
        case "[", "{": return try collectionInLines()
        case "\"", "'": return try quotedOrMap(startsBlock: startsBlock)
        default: return try plainOrMap(inside: indent, startsBlock: startsBlock)
        }
    }

    mutating func enter() throws(YAMLFailure) {
        guard depth < YAMLLimits.depth else {
            let position = cursor.position()
            throw .fault(
                YAMLFault(
                    at: position, message: "lists and maps are more than \(YAMLLimits.depth) levels deep here.",
                    isLimit: true))
        }
        depth += 1
    }

    mutating func explicitKey() -> YAMLFailure {
        fault("a key behind '?' is not read here.", hint: "Write 'key: value'.")
    }

    /// A value that begins below its key or its `-`; empty if nothing is indented more.
    private mutating func nodeBelow(indent: Int) throws(YAMLFailure) -> YAMLNode {
        let position = cursor.position()
        try skipToContent()
        guard cursor.hasContent, cursor.column > indent else { return YAMLNode(.text(""), at: position) }
        return try node(inside: indent, startsBlock: true)
    }

    // MARK: - Lists

    private mutating func list(at column: Int) throws(YAMLFailure) -> YAMLNode {
        let position = cursor.position()
        var items: [YAMLNode] = []
        while true {
            let item = try recovering(indent: column) { parser throws(YAMLFailure) in
                parser.cursor.advance()
                return try parser.value(inside: column, startsBlock: true)
            }
            if let item { items.append(item) }
            guard try isNextEntry(at: column), cursor.isAtIndicator("-") else { break }
        }
        return YAMLNode(.list(items), at: position)
    }

    /// The value behind a `-` or a `:`, in the same line or below.
    private mutating func value(inside column: Int, startsBlock: Bool) throws(YAMLFailure) -> YAMLNode {
        if startsBlock { cursor.skipSpaces() } else { cursor.skipBlanks() }
        if cursor.byte == UInt8(ascii: "\t") {
            let tab = tabFault()
            cursor.skipBlanks()
            guard cursor.isAtBreak || cursor.isAtComment else { throw tab }
        }
        guard cursor.isAtBreak || cursor.isAtComment else {
            return try node(inside: column, startsBlock: startsBlock)
        }
        return try nodeBelow(indent: column)
    }

    /// Moves to the next content; whether it is indented exactly as far as the entries before it. Content that is indented
    /// more belongs to none, and is skipped with a fault.
    private mutating func isNextEntry(at column: Int) throws(YAMLFailure) -> Bool {
        try skipToContent()
        while cursor.hasContent, cursor.column > column {
            guard case .fault(let fault) = misplaced() else { break }
            try report(fault)
            try skipLines(deeperThan: column)
        }
        return cursor.hasContent && cursor.column == column
    }

    private mutating func misplaced() -> YAMLFailure {
        fault(
            "this line belongs to no entry above it.",
            hint: "Indent it as the lines above, or put a text that goes on in quotes.")
    }

    // MARK: - Maps

    private mutating func quotedOrMap(startsBlock: Bool) throws(YAMLFailure) -> YAMLNode {
        let column = cursor.column
        let position = cursor.position()
        let line = cursor.line
        let text = try quotedText()
        guard cursor.line == line, isAtValue() else {
            try finishLine(after: "a text in quotes")
            return YAMLNode(.text(text), at: position)
        }
        return try map(at: column, first: try key(text, position: position), startsBlock: startsBlock)
    }

    private mutating func plainOrMap(inside indent: Int, startsBlock: Bool) throws(YAMLFailure) -> YAMLNode {
        let column = cursor.column
        try checkPlainStart(inFlow: false)
        let position = cursor.position()
        let text = plainLine(inFlow: false)
        guard cursor.isAtIndicator(":") else {
            return YAMLNode(.text(try plainText(text, inside: indent)), at: position)
        }
        return try map(at: column, first: try key(text, position: position), startsBlock: startsBlock)
    }

    /// Whether a `:` follows, perhaps behind spaces; moves to it.
    mutating func isAtValue() -> Bool {
        var next = cursor
        next.skipBlanks()
        guard next.isAtIndicator(":") else { return false }
        cursor = next
        return true
    }

    func key(_ text: String, position: YAMLPosition) throws(YAMLFailure) -> YAMLKey {
        guard text.unicodeScalars.count <= YAMLLimits.key else {
            let message = "a key has at most \(YAMLLimits.key) characters."
            throw .fault(YAMLFault(at: position, message: message, isLimit: true))
        }
        return YAMLKey(name: Name(text), position: position)
    }

    /// - Parameter first: its first key, behind which the cursor is.
    private mutating func map(
        at column: Int, first: YAMLKey, startsBlock: Bool
    ) throws(YAMLFailure) -> YAMLNode {
        guard startsBlock else {
            throw fault("': ' is in a text without quotes.", hint: "Put the text in quotes.")
        }
        var entries: [YAMLEntry] = []
        let firstValue = try recovering(indent: column) { parser throws(YAMLFailure) in
            try parser.mapValue(at: column)
        }
        if let firstValue { entries.append(YAMLEntry(key: first, value: firstValue)) }
        while try isNextEntry(at: column) {
            let entry = try recovering(indent: column) { parser throws(YAMLFailure) in
                let key = try parser.nextKey()
                return YAMLEntry(key: key, value: try parser.mapValue(at: column))
            }
            if let entry { entries.append(entry) }
        }
        return YAMLNode(.map(entries), at: first.position)
    }

    /// From the `:` on. A list may be indented as its key is.
    private mutating func mapValue(at column: Int) throws(YAMLFailure) -> YAMLNode {
        cursor.advance()
        cursor.skipBlanks()
        try skipProperties()
        guard cursor.isAtBreak || cursor.isAtComment else { return try value(inside: column, startsBlock: false) }
        let position = cursor.position()
        try skipToContent()
        if cursor.hasContent, cursor.column == column, cursor.isAtIndicator("-") {
            try enter()
            defer { depth -= 1 }
            return try list(at: column)
        }
        guard cursor.hasContent, cursor.column > column else { return YAMLNode(.text(""), at: position) }
        return try node(inside: column, startsBlock: true)
    }

    private mutating func nextKey() throws(YAMLFailure) -> YAMLKey {
        try skipProperties()
        if cursor.isAtIndicator("-") {
            throw fault(
                "'- ' is among the keys of a map.", hint: "Indent a list as the key that it belongs to, or more.")
        }
        if cursor.isAtIndicator("?") { throw explicitKey() }
        let position = cursor.position()
        let line = cursor.line
        let isQuoted = cursor.byte == UInt8(ascii: "\"") || cursor.byte == UInt8(ascii: "'")
        if !isQuoted { try checkPlainStart(inFlow: false) }
        let text = isQuoted ? try quotedText() : plainLine(inFlow: false)
        guard cursor.line == line, isAtValue() else {
            throw .fault(
                YAMLFault(
                    at: position, message: "a key with ':' is expected here.",
                    hint: "Write 'key: value', or indent a text that goes on."))
        }
        return try key(text, position: position)
    }

    // MARK: - Anchors, aliases, tags

    /// Reports and skips them.
    mutating func skipProperties() throws(YAMLFailure) {
        while true {
            let word: String
            switch Unicode.Scalar(cursor.byte) {
            case "&": word = "an anchor"
            case "*": word = "an alias"
            case "!": word = "a tag"
            default: return
            }
            let sign = String(Unicode.Scalar(cursor.byte))
            let fault = YAMLFault(
                at: cursor.position(), message: "'\(sign)' begins \(word), which is not read here.",
                hint: "Put a text that begins with '\(sign)' in quotes.")
            try report(fault)
            while !CursorEnds.property(cursor.byte) { cursor.advance() }
            cursor.skipBlanks()
        }
    }
}

private enum CursorEnds {
    /// Whether an anchor, an alias or a tag ends in front of the byte.
    static func property(_ byte: UInt8) -> Bool {
        YAMLCursor.endsIndicator(byte) || YAMLCursor.isFlowIndicator(byte)
    }
}
