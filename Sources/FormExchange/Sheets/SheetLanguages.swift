import DocumentValues
import FormLogic

/// The languages that the headers of a form name, and how the texts under them become one.
struct SheetLanguages {
    private(set) var languages: [FormLanguage] = []
    private(set) var standard: Name?
    /// The language of a text under a header without one, where the same text has headers with a language.
    private(set) var unnamed: Name?
    private var codes: [Name: Name] = [:]

    /// The language of headers that name none, where none is chosen in the settings.
    static let fallback = Name("default")

    struct Header {
        /// With the sheet: `survey label`.
        let column: Name
        /// As the header has it: `English (en)`.
        let language: String?
    }

    /// - Parameters:
    ///   - headers: of all texts, those of the survey first.
    ///   - chosen: the setting `default_language`.
    init(headers: [Header], chosen: String?) {
        for header in headers {
            if let language = header.language { add(language) }
        }
        let mixed = Self.mixed(headers)
        let hasUnnamed = headers.contains { $0.language == nil }
        guard let chosen else {
            if mixed { addFront(FormLanguage(code: Self.fallback, name: Self.fallback.text)) }
            return
        }
        if let code = find(chosen) {
            standard = code
            unnamed = hasUnnamed ? code : nil
        } else if hasUnnamed {
            addFront(Self.parsed(chosen))
        }
    }

    /// Whether a text has headers of both kinds.
    private static func mixed(_ headers: [Header]) -> Bool {
        let named = Set(headers.filter { $0.language != nil }.map(\.column))
        return headers.contains { $0.language == nil && named.contains($0.column) }
    }

    private mutating func addFront(_ language: FormLanguage) {
        languages.insert(language, at: 0)
        (standard, unnamed) = (language.code, language.code)
    }

    private mutating func add(_ text: String) {
        guard codes[Name(text)] == nil else { return }
        var language = Self.parsed(text)
        if languages.contains(where: { $0.code == language.code }) {
            language = FormLanguage(code: Name(text), name: text)
        }
        codes[Name(text)] = language.code
        languages.append(language)
    }

    /// `English (en)` has the name `English` and the code `en`; `English` is both.
    static func parsed(_ text: String) -> FormLanguage {
        let whole = FormLanguage(code: Name(text), name: text)
        guard text.hasSuffix(")"), let open = text.utf8.lastIndex(of: UInt8(ascii: "(")) else { return whole }
        let name = text[..<open].trimmingSpaces
        let code = text[text.utf8.index(after: open)...].utf8.dropLast()
        let trimmed = Substring(code).trimmingSpaces
        return name.isEmpty || trimmed.isEmpty ? whole : FormLanguage(code: Name(trimmed), name: name)
    }

    /// By the header's text, the name or the code.
    private func find(_ text: String) -> Name? {
        if let code = codes[Name(text)] { return code }
        return languages.first { $0.name == text || $0.code.text == text }?.code
            ?? languages.first { $0.name.lowercased().isExactly(text.lowercased()) }?.code
    }

    /// The code of a header's language; `nil` for none.
    func code(_ header: String?) -> Name? { header.flatMap { codes[Name($0)] } }

    /// A text is plain when it is the same in all languages.
    func text(plain: String?, translations: [FormText.Translation]) -> FormText? {
        guard !translations.isEmpty else { return plain.map { .plain($0) } }
        var all: [FormText.Translation] = []
        for language in languages {
            if let found = translations.first(where: { $0.language == language.code }) {
                all.append(found)
            } else if language.code == unnamed, let plain {
                all.append(FormText.Translation(language: language.code, text: plain))
            }
        }
        return FormText(all, languages: languages)
    }
}

extension SheetTable {
    /// The headers of texts.
    var textHeaders: [SheetLanguages.Header] {
        columns.compactMap { column in
            guard case .column(let known, let language) = column.use, known.isTranslated else { return nil }
            return SheetLanguages.Header(column: Name("\(origin.sheet) \(known.rawValue)"), language: language)
        }
    }
}

extension TableRow {
    /// The text of a column in all languages.
    func text(_ column: Column, languages: SheetLanguages) -> FormText? {
        let translations = translations(column).compactMap { cell -> FormText.Translation? in
            guard case .column(_, let language?) = cell.column.use, let code = languages.code(language) else {
                return nil
            }
            return FormText.Translation(language: code, text: cell.text)
        }
        return languages.text(plain: self[column], translations: translations)
    }
}
