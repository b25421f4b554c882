import DocumentValues

/// Reads the part of YAML 1.2 in which forms are written: no anchors, tags, merge keys, further documents, keys that are
/// lists or maps, or tabs that indent.
///
/// It is our own since it reports all faults with their positions, its time does not depend on what a text nests in keys,
/// and keys are compared by their bytes.
struct YAMLParser {
    var cursor: YAMLCursor
    private(set) var faults: [YAMLFault] = []
    var depth = 0

    private init(_ bytes: [UInt8]) { cursor = YAMLCursor(bytes) }

    /// The value, `nil` for a text without one, and the faults in the order in which they were found. With faults the value
    /// lacks the entries in which they are.
    static func parse(_ text: String) -> (node: YAMLNode?, faults: [YAMLFault]) {
        guard text.utf8.count <= YAMLLimits.file else {
            let fault = YAMLFault(
                at: YAMLPosition(line: 1, column: 1),
                message: "a form has at most \(YAMLLimits.file >> 20) MiB; this file has more.",
                hint: "Move long lists into CSV files.", isLimit: true)
            return (nil, [fault])
        }
        var parser = YAMLParser(YAMLBytes.prepared(text))
        if let fault = YAMLBytes.firstForbidden(in: parser.cursor.bytes) { return (nil, [fault]) }
        let node = parser.document()
        return (node, parser.faults)
    }

    // MARK: - Faults

    mutating func report(_ fault: YAMLFault) throws(YAMLFailure) {
        guard faults.count < YAMLLimits.faults else { throw .stop }
        faults.append(fault)
    }

    mutating func fault(_ message: String, hint: String? = nil) -> YAMLFailure {
        .fault(YAMLFault(at: cursor.position(), message: message, hint: hint))
    }

    /// Reads an entry; after a fault in it, goes on with the next line that is indented no more than the entry.
    mutating func recovering<Value>(
        indent: Int, _ read: (inout YAMLParser) throws(YAMLFailure) -> Value
    ) throws(YAMLFailure) -> Value? {
        let start = cursor
        let level = depth
        do { return try read(&self) } catch {
            guard case .fault(let fault) = error else { throw error }
            try report(fault)
            cursor = start
            depth = level
            try skipLines(deeperThan: indent)
            return nil
        }
    }

    /// Skips the rest of this line, and those behind it that are indented more.
    mutating func skipLines(deeperThan indent: Int) throws(YAMLFailure) {
        while !cursor.isAtEnd {
            cursor.skipLine()
            cursor.skipSpaces()
            let isBlank = cursor.isAtBreak || cursor.isAtBlank || cursor.isAtComment
            if !isBlank, cursor.column <= indent || cursor.isAtMarker { return }
        }
    }

    // MARK: - Documents

    private mutating func document() -> YAMLNode? {
        do {
            try skipDirectives()
            guard cursor.hasContent else { return nil }
            let root: YAMLNode? = try recovering(indent: -1) { parser throws(YAMLFailure) in
                try parser.node(inside: -1, startsBlock: true)
            }
            try checkEnd()
            return root
        } catch {
            return nil
        }
    }

    private mutating func skipDirectives() throws(YAMLFailure) {
        try skipToContent()
        if cursor.column == 0, cursor.byte == UInt8(ascii: "%") {
            try report(YAMLFault(at: cursor.position(), message: "a directive of YAML ('%') is not read here."))
            while cursor.byte == UInt8(ascii: "%") {
                cursor.skipLine()
                try skipToContent()
            }
        }
        guard cursor.isAtMarker, cursor.byte == UInt8(ascii: "-") else { return }
        cursor.advance(by: 3)
        cursor.skipBlanks()
        guard cursor.isAtBreak || cursor.isAtComment else {
            throw fault("text follows '---'.", hint: "Begin the form in the next line.")
        }
        try skipToContent()
    }

    private mutating func checkEnd() throws(YAMLFailure) {
        try skipToContent()
        if cursor.isAtMarker, cursor.byte == UInt8(ascii: ".") {
            cursor.advance(by: 3)
            cursor.skipBlanks()
            try skipToContent()
        }
        guard !cursor.isAtEnd else { return }
        let isMarker = cursor.isAtMarker
        try report(
            YAMLFault(
                at: cursor.position(),
                message: isMarker ? "a second document begins here." : "this follows the end of the form.",
                hint: isMarker ? "Write one form a file." : "Check the spaces at the beginning of the line."))
    }

    // MARK: - Spaces

    /// Moves to the next byte that is no space, line end or comment.
    ///
    /// - Throws: for a tab before the first content of a line.
    mutating func skipToContent() throws(YAMLFailure) {
        while !cursor.isAtEnd {
            let isLineStart = cursor.column == 0
            cursor.skipSpaces()
            if cursor.byte == UInt8(ascii: "\t") { try skipTabs(isLineStart: isLineStart) }
            if cursor.isAtComment {
                cursor.skipLine()
            } else if cursor.isAtBreak {
                cursor.nextLine()
            } else {
                return
            }
        }
    }

    private mutating func skipTabs(isLineStart: Bool) throws(YAMLFailure) {
        let tab = tabFault()
        cursor.skipBlanks()
        if isLineStart, !cursor.isAtBreak, !cursor.isAtComment { throw tab }
    }

    mutating func tabFault() -> YAMLFailure {
        fault("a tab indents this line.", hint: "Indent with spaces.")
    }

    /// To the end of the line, on which nothing but a comment may follow.
    mutating func finishLine(after part: String) throws(YAMLFailure) {
        cursor.skipBlanks()
        guard !cursor.isAtBreak, !cursor.isAtComment else { return }
        throw fault(
            "a text goes on behind \(part).",
            hint: "Put all of it in quotes; within '…' an apostrophe is written twice.")
    }
}
