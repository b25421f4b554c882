import DocumentValues

/// A column by its header: `label::English (en)`, `bind::jr:constraintMsg`, `media::image`.
struct HeaderText<Column: SheetColumn> {
    enum Use {
        /// The language as the header names it.
        case column(Column, language: String?)
        /// An attribute of XForms that is kept and means nothing here.
        case attribute(String)
        /// A column of choices for filters and look-ups.
        case data
        /// Of another program.
        case foreign
        case unknown
    }

    /// Parts in front of a column's own name.
    private static var groups: [String] { ["bind", "control", "body", "instance", "media"] }
    /// Beginnings of names with a colon in them.
    private static var prefixes: [String] { ["jr", "orx", "odk", "entities"] }

    /// - Parameter isDouble: whether a header of the sheet has `::`; otherwise `:` separates.
    static func use(of header: String, isDouble: Bool) -> Use {
        if let column = Column.named(header) { return .column(column, language: nil) }
        var parts = parts(of: header, isDouble: isDouble)
        let isGrouped = parts.count > 1 && groups.contains(parts[0].lowercased()) && !Column.allCases.isEmpty
        let group = isGrouped ? parts.removeFirst().lowercased() : nil
        if let column = Column.named(parts[0]) {
            let language = parts.dropFirst().joined(separator: isDouble ? "::" : ":")
            if language.isEmpty { return .column(column, language: nil) }
            if column.isTranslated { return .column(column, language: language) }
        }
        if Column.keepsOthers { return .data }
        if let group, group != "media" {
            return .attribute(([group] + parts).joined(separator: "::"))
        }
        let isForeign = Column.foreign.contains { header.lowercased().hasPrefix($0) }
        return isForeign ? .foreign : .unknown
    }

    private static func parts(of header: String, isDouble: Bool) -> [String] {
        if isDouble { return split(header).map(\.trimmingSpaces) }
        let parts = header.split(atByte: ":", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        // `bind:jr:constraintMsg` has three parts of which two are one name.
        guard let index = parts.dropLast().firstIndex(where: { prefixes.contains($0) }) else { return parts }
        return parts[..<index] + ["\(parts[index]):\(parts[index + 1])"] + parts[(index + 2)...]
    }

    private static func split(_ header: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var wasColon = false
        for byte in header.utf8 {
            if byte == UInt8(ascii: ":"), wasColon {
                part.removeLast()
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                wasColon = false
            } else {
                part.append(byte)
                wasColon = byte == UInt8(ascii: ":")
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }
}
