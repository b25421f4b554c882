import DocumentValues

/// Which styles of a workbook show a number as a date or a time.
struct NumberFormats: MarkupHandler {
    /// By the number of a style of cells.
    private(set) var isDate: [Bool] = []
    private var codes: [Int: String] = [:]
    private var formats: [Int] = []
    private var path: [String] = []

    func isDate(_ style: Int) -> Bool { isDate.indices.contains(style) && isDate[style] }

    mutating func start(_ tag: MarkupTag) {
        let parent = path.last
        path.append(tag.local)
        switch tag.local {
        case "numFmt":
            guard let id = tag["numFmtId"].flatMap({ Int($0) }), let code = tag["formatCode"] else { return }
            codes[id] = code
        case "xf" where parent == "cellXfs":
            formats.append(tag["numFmtId"].flatMap { Int($0) } ?? 0)
        default: break
        }
    }

    func text(_ text: String) {}

    mutating func end() {
        path.removeLast()
        if path.isEmpty { isDate = formats.map { isDateFormat($0) } }
    }

    /// Formats below 164 are built in.
    private func isDateFormat(_ id: Int) -> Bool {
        if let code = codes[id] { return Self.isDate(code) }
        return (14...22).contains(id) || (27...36).contains(id) || (45...47).contains(id) || (50...58).contains(id)
    }

    /// Whether a format has a letter of dates outside of quoted texts, escapes and brackets, such as colors.
    static func isDate(_ code: String) -> Bool {
        var isQuoted = false
        var isInBrackets = false
        var isEscaped = false
        for byte in code.utf8 {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where !isQuoted, UInt8(ascii: "_") where !isQuoted,
                UInt8(ascii: "*") where !isQuoted:
                isEscaped = true
            case UInt8(ascii: "[") where !isQuoted: isInBrackets = true
            case UInt8(ascii: "]") where !isQuoted: isInBrackets = false
            // The part behind it is for negative numbers.
            case UInt8(ascii: ";") where !isQuoted: return false
            case _ where isQuoted || isInBrackets: break
            default: if isDateLetter(byte) { return true }
            }
        }
        return false
    }

    private static func isDateLetter(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "d"), UInt8(ascii: "m"), UInt8(ascii: "y"), UInt8(ascii: "h"), UInt8(ascii: "s"): true
        default: false
        }
    }
}
