import DocumentValues
import FormLogic

/// The translated texts of an XForm by their ids.
struct XFormTexts {
    struct Entry {
        var label: [FormText.Translation] = []
        var guidance: [FormText.Translation] = []
        var media: [(kind: FormMedia.Kind, file: FormText.Translation)] = []
    }

    private var languages: [FormLanguage] = []
    private(set) var standard: Name?
    private(set) var entries: [Name: Entry] = [:]
    private(set) var ids: [Name] = []
    private let isGenerated: Bool

    /// - Parameters:
    ///   - isGenerated: a hyphen is a translation that is missing.
    ///   - convert: makes a text of an element with references in it.
    init(_ model: MarkupElement, isGenerated: Bool, convert: (MarkupElement, XFormPath?) -> String) {
        self.isGenerated = isGenerated
        guard let itext = model.child("itext") else { return }
        for translation in itext.children("translation") {
            let language = language(translation["lang"] ?? "default")
            if translation["default"] != nil, standard == nil { standard = language }
            for text in translation.children("text") {
                guard let id = text["id"] else { continue }
                read(text, id: Name(id), language: language, convert: convert)
            }
        }
        // The first language is the default without a word.
        if named.isEmpty || (standard == languages.first?.code && standard != SheetLanguages.fallback) {
            standard = nil
        }
    }

    private mutating func language(_ text: String) -> Name {
        var language = SheetLanguages.parsed(text)
        if languages.contains(where: { $0.code == language.code }) {
            language = FormLanguage(code: Name(text), name: text)
        }
        languages.append(language)
        return language.code
    }

    private mutating func read(
        _ text: MarkupElement, id: Name, language: Name, convert: (MarkupElement, XFormPath?) -> String
    ) {
        var entry = entries[id] ?? Entry()
        if entries[id] == nil { ids.append(id) }
        // `/data/person/page:label` belongs to that node.
        let context = id.text.split(atByte: ":").first.flatMap { XFormPath(String($0)) }
        for value in text.children("value") {
            let content = convert(value, context)
            if content.isEmpty || (isGenerated && content == "-") { continue }
            let translation = FormText.Translation(language: language, text: content)
            switch value["form"] {
            case nil, "long"?: entry.label.append(translation)
            case "guidance"?: entry.guidance.append(translation)
            case let form?:
                guard let kind = FormMedia.Kind(exactly: form) else { continue }
                let file = FormText.Translation(language: language, text: Self.fileName(content))
                entry.media.append((kind, file))
            }
        }
        entries[id] = entry
    }

    /// The form's languages: none where all texts are in one that has no name.
    var named: [FormLanguage] { languages.count == 1 && languages[0].code == SheetLanguages.fallback ? [] : languages }

    /// `jr://images/a.png` is `a.png`.
    static func fileName(_ address: String) -> String {
        guard address.hasPrefix("jr://") else { return address }
        return address.split(atByte: "/").last.map(String.init) ?? address
    }

    func text(_ translations: [FormText.Translation]) -> FormText? {
        var seen: Set<Name> = []
        let first = translations.filter { seen.insert($0.language).inserted }
        // A text without a language is for all.
        if let only = first.first, first.count == 1, only.language == SheetLanguages.fallback {
            return .plain(only.text)
        }
        return FormText(first, languages: languages)
    }

    func media(_ entry: Entry) -> FormMedia {
        var media = FormMedia()
        for kind in FormMedia.Kind.allCases {
            media[kind] = text(entry.media.filter { $0.kind == kind }.map(\.file))
        }
        return media
    }

    /// The id of `jr:itext('/data/a:label')`.
    static func id(_ reference: String) -> Name? {
        guard reference.containsBytes(of: "jr:itext"),
            let found = reference.trimmingSpaces.wholeMatch(of: /jr:itext\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/)
        else {
            return nil
        }
        return (found.1 ?? found.2).map { Name($0) }
    }
}
