import DocumentValues

/// The elements of an XML text in their order, as far as files with positions need them: names without their prefix,
/// attributes, text. Entities of its own are refused; other texts keep theirs as they are written, for no number has any.
struct TagScanner {
    enum Part {
        case start(String, attributes: [NamedAttribute])
        case end
        case text(String)
    }

    struct NamedAttribute {
        let name: String
        let value: String
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The names of the open elements.
    private var open: [String] = []
    /// An element that has just begun and ended at once: `<a/>`.
    private var endsAtOnce = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// `nil` at the end of the text.
    ///
    /// - Throws: `AnswerRefusal` where the text is no XML, or goes too deep.
    mutating func next() throws(AnswerRefusal) -> Part? {
        if endsAtOnce {
            endsAtOnce = false
            open.removeLast()
            return .end
        }
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "<") else { return .text(take(upTo: UInt8(ascii: "<"))) }
            if try skip(from: "<?", to: "?>") { continue }
            if try skip(from: "<!--", to: "-->") { continue }
            if let text = try content(from: "<![CDATA[", to: "]]>") { return .text(text) }
            guard !starts(with: "<!") else { throw .typeDefinitionInFile }
            return try tag()
        }
        guard open.isEmpty else { throw .fileOfOtherKind }
        return nil
    }

    private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(upTo end: UInt8) -> String {
        let stop = bytes[index...].firstIndex(of: end) ?? bytes.endIndex
        defer { index = stop }
        return String(decoding: bytes[index..<stop], as: UTF8.self)
    }

    private mutating func skip(from start: String, to end: String) throws(AnswerRefusal) -> Bool {
        try content(from: start, to: end) != nil
    }

    private mutating func content(from start: String, to end: String) throws(AnswerRefusal) -> String? {
        guard starts(with: start) else { return nil }
        let (first, mark) = (index + start.utf8.count, Array(end.utf8))
        var stop = first
        while stop + mark.count <= bytes.endIndex {
            if bytes[stop] == mark[0], bytes[stop..<stop + mark.count].elementsEqual(mark) {
                index = stop + mark.count
                return String(decoding: bytes[first..<stop], as: UTF8.self)
            }
            stop += 1
        }
        throw .fileOfOtherKind
    }

    private mutating func tag() throws(AnswerRefusal) -> Part {
        let isEnd = starts(with: "</")
        index += isEnd ? 2 : 1
        let name = try self.name()
        if isEnd {
            skipSpaces()
            guard takeByte(UInt8(ascii: ">")), open.popLast()?.isExactly(name) == true else { throw .fileOfOtherKind }
            return .end
        }
        let attributes = try attributes()
        endsAtOnce = takeByte(UInt8(ascii: "/"))
        open.append(name)
        guard takeByte(UInt8(ascii: ">")), open.count <= EntryLimits.markupDepth else { throw .fileOfOtherKind }
        return .start(name, attributes: attributes)
    }

    private mutating func attributes() throws(AnswerRefusal) -> [NamedAttribute] {
        var attributes: [NamedAttribute] = []
        skipSpaces()
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "/") {
            let name = try self.name()
            skipSpaces()
            guard takeByte(UInt8(ascii: "=")) else { throw .fileOfOtherKind }
            skipSpaces()
            guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
                throw .fileOfOtherKind
            }
            let quote = bytes[index]
            index += 1
            attributes.append(NamedAttribute(name: name, value: take(upTo: quote)))
            guard takeByte(quote) else { throw .fileOfOtherKind }
            skipSpaces()
        }
        return attributes
    }

    /// Without a prefix.
    private mutating func name() throws(AnswerRefusal) -> String {
        let ends = Array(" \t\r\n=/><'\"".utf8)
        let name = bytes[index...].prefix { !ends.contains($0) }
        guard !name.isEmpty else { throw .fileOfOtherKind }
        index = name.endIndex
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
