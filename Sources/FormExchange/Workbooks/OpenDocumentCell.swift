import DocumentValues

/// A cell of an OpenDocument workbook while it is read: its value, or the paragraphs that it shows.
struct OpenDocumentCell {
    /// How many cells beside each other it is.
    let count: Int
    private let type: String
    private let value: String?
    private let hasFormula: Bool
    private let isError: Bool
    private var shown: [UInt8] = []
    private var paragraphs = 0

    init(_ tag: MarkupTag) {
        count = tag["number-columns-repeated", in: .table].flatMap { Int($0) }.map { max(1, $0) } ?? 1
        type = tag["value-type", in: .office] ?? ""
        hasFormula = tag["formula", in: .table] != nil
        // LibreOffice says in a vocabulary of its own that the result of a formula is an error.
        isError = tag["value-type", in: .other]?.isExactly("error") == true
        value =
            switch type {
            case "float", "percentage", "currency": tag["value", in: .office]
            case "date": tag["date-value", in: .office]
            case "time": tag["time-value", in: .office]
            case "boolean": tag["boolean-value", in: .office]
            default: tag["string-value", in: .office]
            }
    }

    // MARK: The text that is shown

    mutating func beginParagraph() {
        if paragraphs > 0 { shown.append(UInt8(ascii: "\n")) }
        paragraphs += 1
    }

    /// White space is one space, as between the words of XML; more of them are elements.
    mutating func add(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                if let last = shown.last, last != 0x20, last != UInt8(ascii: "\n") { shown.append(0x20) }
            default: shown.append(byte)
            }
        }
    }

    mutating func add(_ tag: MarkupTag) {
        guard tag.namespace == .officeText else { return }
        switch tag.local {
        case "s":
            let count = tag["c", in: .officeText].flatMap { Int($0) } ?? 1
            shown += [UInt8](repeating: 0x20, count: min(max(1, count), FormExchangeLimits.cell))
        case "tab": shown.append(UInt8(ascii: "\t"))
        case "line-break": shown.append(UInt8(ascii: "\n"))
        default: break
        }
    }

    // MARK: The cell's text

    /// Numbers as they are, dates as `2026-03-04 00:00:00`, as of other workbooks.
    var content: (text: String, origin: SheetCell.Origin) {
        let shown = String(decoding: shown, as: UTF8.self)
        if isError { return (shown, .error) }
        let text = text(shown: shown)
        return (text, text.isEmpty && hasFormula ? .uncalculated : .value)
    }

    private func text(shown: String) -> String {
        guard let value else { return shown }
        switch type {
        case "float", "percentage", "currency": return Double(value).map { CellNumber.text($0) } ?? shown
        case "boolean": return value.isExactly("true") ? "TRUE" : "FALSE"
        case "date": return value.containsBytes(of: "T") ? value.replacing("T", with: " ") : value + " 00:00:00"
        case "time": return Self.time(value) ?? shown
        default: return value
        }
    }

    /// `13:45:00` of `PT13H45M00S`.
    private static func time(_ text: String) -> String? {
        guard let found = text.wholeMatch(of: /PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S/) else { return nil }
        return [found.1, found.2, found.3].map { $0.utf8.count < 2 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
