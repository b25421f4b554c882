import DocumentValues

/// The bytes of an XML document, which are made safe before a parser sees them: a document type could refer to other
/// files and multiply its own text, and an encoding that is no superset of ASCII could hide it.
struct MarkupText {
    let bytes: [UInt8]

    private static let encodings = ["utf-8", "utf8", "us-ascii", "ascii"]
    /// Those of one byte a character.
    private static let narrowEncodings = ["iso-8859-1", "latin1", "windows-1252"]

    /// - Throws: `FormFileError` for a document type, for an unusual encoding, and beyond the limit.
    init(_ bytes: [UInt8], file: String, limit: Int) throws(FormFileError) {
        guard bytes.count <= limit else {
            throw FormFileError(.tooLarge("the XML", limit: "\(limit >> 20) MB"), file: file)
        }
        let (text, wasWide) = Self.narrowed(bytes)
        var prolog = Prolog(text)
        prolog.skip()
        if prolog.hasTypeDefinition { throw FormFileError(.typeDefinition, file: file) }
        let encoding = wasWide ? nil : prolog.encoding?.lowercased()
        let isNarrow = encoding.map { Self.narrowEncodings.contains($0) } ?? false
        if let encoding, !isNarrow, !Self.encodings.contains(encoding) {
            throw FormFileError(.encoding(encoding), file: file)
        }
        // The declaration of a text that is converted names an encoding that it has no more.
        let rest = wasWide || isNarrow ? Array(text[prolog.declarationEnd...]) : text
        self.bytes = isNarrow ? Array(LegacyText.decode(rest).utf8) : rest
        // The parser would crash at such a name.
        if let line = Self.lineOfOtherBytes(in: self.bytes) {
            throw FormFileError(.damagedMarkup(line: line, "it has bytes that are no UTF-8"), file: file)
        }
    }

    /// `nil` for UTF-8.
    private static func lineOfOtherBytes(in bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    /// UTF-16 becomes UTF-8; a byte order mark goes.
    private static func narrowed(_ bytes: [UInt8]) -> ([UInt8], wasWide: Bool) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (withoutMarks(bytes), false) }
        let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, UInt8(ascii: "<")])
        let isLittle = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [UInt8(ascii: "<"), 0])
        guard isBig || isLittle else { return (bytes, false) }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        return (withoutMarks(Array(String(decoding: units, as: UTF16.self).utf8)), true)
    }

    /// The parser would take a second mark for one, too, and find a document type behind it.
    private static func withoutMarks(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        while rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        return Array(rest)
    }
}

/// All that may come before the root element: the declaration, comments, instructions, a document type.
private struct Prolog {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var encoding: String?
    private(set) var declarationEnd = 0
    private(set) var hasTypeDefinition = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip() {
        while position < bytes.count {
            if bytes[position] <= 0x20 {
                position += 1
            } else if begins("<?") {
                let start = position
                skip(to: "?>")
                if start == 0 { readDeclaration(bytes[start..<position]) }
            } else if begins("<!--") {
                skip(to: "-->")
            } else {
                hasTypeDefinition = begins("<!")
                return
            }
        }
    }

    private mutating func readDeclaration(_ text: ArraySlice<UInt8>) {
        declarationEnd = position
        let declaration = String(decoding: text, as: UTF8.self)
        guard let found = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) else { return }
        encoding = String(found.1)
    }

    private func begins(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func skip(to end: StaticString) {
        while position < bytes.count, !begins(end) { position += 1 }
        position = min(bytes.count, position + end.utf8CodeUnitCount)
    }
}
