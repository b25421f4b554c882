import DocumentValues
import FormLogic

/// A sheet while it is written: rows of texts by columns, of which only those in use get a header.
struct SheetRows {
    private let name: String
    private let order: [String]
    private let languages: [FormLanguage]
    private var rows: [[Cell]] = []
    /// Columns of which a text is translated.
    private var translated: Set<Name> = []
    /// Columns that come behind those in `order`.
    private var others: [Name] = []
    private var known: Set<Name>

    private struct Cell {
        let column: Name
        let text: FormText
    }

    /// - Parameter order: of the columns.
    init(name: String, order: [String], languages: [FormLanguage]) {
        self.name = name
        self.order = order
        self.languages = languages
        known = Set(order.map { Name($0) })
    }

    mutating func begin() { rows.append([]) }

    mutating func put(_ text: String?, in column: String) { put(text.map { .plain($0) }, in: column) }

    mutating func put(_ text: FormText?, in column: String) {
        guard let text, !rows.isEmpty else { return }
        let name = Name(column)
        if known.insert(name).inserted { others.append(name) }
        if case .translated = text { translated.insert(name) }
        rows[rows.count - 1].append(Cell(column: name, text: text))
    }

    /// Has a column once a language, even if all of its texts are the same in all.
    mutating func translate(_ column: String) { translated.insert(Name(column)) }

    var hasTranslations: Bool { !translated.isEmpty }

    var sheet: Sheet {
        let used = Set(rows.flatMap { $0.map(\.column) })
        let columns = (order.map { Name($0) } + others).filter { used.contains($0) || translated.contains($0) }
        var headers: [String] = []
        var positions: [Name: Int] = [:]
        for column in columns {
            positions[column] = headers.count
            headers += translated.contains(column) ? languages.map { header(column, in: $0) } : [column.text]
        }
        var sheet = Sheet(name: name, rows: [SheetRow(number: 1, texts: headers)])
        for (index, row) in rows.enumerated() {
            var texts = [String](repeating: "", count: headers.count)
            for cell in row { write(cell, at: positions[cell.column] ?? 0, into: &texts) }
            sheet.rows.append(SheetRow(number: index + 2, texts: texts))
        }
        return sheet
    }

    private func write(_ cell: Cell, at position: Int, into texts: inout [String]) {
        guard translated.contains(cell.column) else {
            texts[position] = cell.text.all.first ?? ""
            return
        }
        for (offset, language) in languages.enumerated() {
            texts[position + offset] = cell.text.text(in: language.code) ?? ""
        }
    }

    private func header(_ column: Name, in language: FormLanguage) -> String {
        language.code == SheetLanguages.fallback ? column.text : "\(column.text)::\(Self.text(of: language))"
    }

    /// `English (en)`.
    static func text(of language: FormLanguage) -> String {
        language.code.text == language.name ? language.name : "\(language.name) (\(language.code.text))"
    }
}
