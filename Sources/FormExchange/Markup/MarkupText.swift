import DocumentValues

/// The bytes of an XML document, which are made safe before a parser sees them: a document type could refer to other
/// files and multiply its own text, and an encoding that is no superset of ASCII could hide it.
struct MarkupText {
    let bytes: [UInt8]

    /// Encodings in which ASCII is ASCII.
    private static let encodings = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252"]

    /// - Throws: `FormFileError` for a document type, for an unusual encoding, and beyond the limit.
    init(_ bytes: [UInt8], file: String, limit: Int) throws(FormFileError) {
        guard bytes.count <= limit else {
            throw FormFileError(.tooLarge("the XML", limit: "\(limit >> 20) MB"), file: file)
        }
        let (text, wasWide) = Self.narrowed(bytes)
        var prolog = Prolog(text)
        prolog.skip()
        if let encoding = prolog.encoding, !wasWide, !Self.encodings.contains(encoding.lowercased()) {
            throw FormFileError(.encoding(encoding), file: file)
        }
        if prolog.hasTypeDefinition { throw FormFileError(.typeDefinition, file: file) }
        // The declaration of a document that was UTF-16 names an encoding that it has no more.
        self.bytes = wasWide ? Array(text[prolog.declarationEnd...]) : text
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
