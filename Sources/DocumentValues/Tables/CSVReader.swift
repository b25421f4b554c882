/// One row of a CSV file.
public struct CSVRow: Sendable, Hashable {
    /// The line that the row begins on, counted from 1; quoted fields may span several.
    public let line: Int
    public let fields: [String]
    /// The row's bytes were not UTF-8, so they were read as Windows-1252, of which Latin-1 is the most part.
    public let isLegacyText: Bool
    public let defect: CSVDefect?
}

/// A defect in a row's form. The row still has the fields that could be read.
public enum CSVDefect: Sendable, Hashable {
    /// A quotation mark that is opened and never closed.
    case unclosedQuote
    /// Text between a closing quotation mark and the next delimiter; it was added to the field.
    case textAfterQuote
}

/// Reads rows from the bytes of a CSV file (RFC 4180; any line end; comma, semicolon or tab).
///
/// SwiftCSV, which would be the package for this, reads a `String`: one row with other bytes than UTF-8 makes a whole
/// file unreadable, and it names neither the line of a row nor its defect. A register of a city has such rows, and the
/// report of an import must name them. It is also ten times slower, since it walks by `Character`.
public struct CSVReader: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var position: Int
    private var line = 1
    private let keepsEmptyLines: Bool

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// - Parameter keepsEmptyLines: an empty line is a row with one empty field, as spreadsheets count rows.
    public init(_ bytes: [UInt8], keepsEmptyLines: Bool = false) {
        self.bytes = bytes
        self.keepsEmptyLines = keepsEmptyLines
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        delimiter = Self.delimiter(ofFirstLineIn: bytes)
    }

    /// The next row that is not an empty line, unless these are kept.
    public mutating func next() -> CSVRow? {
        while position < bytes.count {
            let start = line
            var builder = RowBuilder()
            let defect = readRow(into: &builder)
            if builder.isEmptyLine, !keepsEmptyLines { continue }
            let (fields, isLegacyText) = builder.decoded()
            return CSVRow(line: start, fields: fields, isLegacyText: isLegacyText, defect: defect)
        }
        return nil
    }

    private mutating func readRow(into row: inout RowBuilder) -> CSVDefect? {
        var defect: CSVDefect?
        while true {
            if position < bytes.count, bytes[position] == Self.quote {
                defect = readQuoted(into: &row) ?? defect
            } else {
                readPlain(into: &row)
            }
            row.endField()
            guard position < bytes.count, bytes[position] == delimiter else { break }
            position += 1
        }
        readLineEnd()
        return defect
    }

    private mutating func readPlain(into row: inout RowBuilder) {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            position += 1
        }
        row.append(bytes[start..<position])
    }

    private mutating func readQuoted(into row: inout RowBuilder) -> CSVDefect? {
        let opening = (position: position, line: line)
        position += 1
        row.isQuoted = true
        var start = position
        while position < bytes.count, position - opening.position <= TableLimits.csvField {
            let byte = bytes[position]
            if byte == Self.lineFeed { line += 1 }
            position += 1
            guard byte == Self.quote else { continue }
            if position < bytes.count, bytes[position] == Self.quote {
                row.append(bytes[start..<position])
                position += 1
                start = position
                continue
            }
            row.append(bytes[start..<position - 1])
            return readRemainder(into: &row)
        }
        // Nothing closes it: the mark is part of the text, and the field ends with its line.
        (position, line) = opening
        row.restartField()
        position += 1
        row.append([Self.quote])
        readPlain(into: &row)
        return .unclosedQuote
    }

    /// Reads bytes between a closing quotation mark and the next delimiter, which are a defect.
    private mutating func readRemainder(into row: inout RowBuilder) -> CSVDefect? {
        let start = position
        readPlain(into: &row)
        return position > start ? .textAfterQuote : nil
    }

    private mutating func readLineEnd() {
        guard position < bytes.count else { return }
        if bytes[position] == Self.carriageReturn { position += 1 }
        if position < bytes.count, bytes[position] == Self.lineFeed { position += 1 }
        line += 1
    }

    /// Whichever of comma, semicolon and tab the first line has most of, outside quotation marks.
    private static func delimiter(ofFirstLineIn bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == lineFeed || byte == carriageReturn { break }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t") {
                counts[byte, default: 0] += 1
            }
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? UInt8(ascii: ",")
    }
}

/// Gathers the bytes of a row, so that all of it is decoded in one way.
private struct RowBuilder {
    private var text: [UInt8] = []
    private var ends: [Int] = []
    var isQuoted = false

    init() { text.reserveCapacity(256) }

    mutating func append(_ bytes: some Swift.Collection<UInt8>) { text.append(contentsOf: bytes) }

    mutating func endField() { ends.append(text.count) }

    mutating func restartField() { text.removeSubrange((ends.last ?? 0)...) }

    var isEmptyLine: Bool { ends.count == 1 && text.isEmpty && !isQuoted }

    func decoded() -> (fields: [String], isLegacyText: Bool) {
        let isLegacyText = text.contains { $0 >= 0x80 } && String(validating: text, as: UTF8.self) == nil
        var fields: [String] = []
        fields.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            let slice = text[start..<end]
            fields.append(isLegacyText ? LegacyText.decode(slice) : String(decoding: slice, as: UTF8.self))
            start = end
        }
        return (fields, isLegacyText)
    }
}
