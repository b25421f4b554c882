import DocumentValues
import FormLogic

/// The texts of an XForm: those of one language without media stand where they are shown, the others in the model.
struct ExportTexts {
    struct Entry {
        let id: String
        let label: FormText?
        var guidance: FormText?
        var media = FormMedia()
        let context: XFormPath
    }

    private(set) var entries: [Entry] = []
    private var ids: Set<Name> = []

    init(_ context: ExportContext) {
        context.visit { spot in
            let node = spot.node
            add("label", label: node.label, media: node.media, at: spot.path)
            add("hint", label: node.hint, guidance: node.guidanceHint, at: spot.path)
            addMessage("jr:constraintMsg", text: node.constraintMessage, at: spot.path)
            addMessage("jr:requiredMsg", text: node.requiredMessage, at: spot.path)
        }
        for list in context.form.lists where Self.isTranslated(list) {
            for (index, choice) in list.choices.enumerated() {
                let id = Self.id(of: index, in: list)
                entries.append(Entry(id: id, label: choice.label, media: choice.media, context: context.root))
            }
        }
        for text in context.form.texts where ids.insert(text.id).inserted {
            entries.append(Entry(id: text.id.text, label: text.text, context: context.root))
        }
    }

    private mutating func add(
        _ part: String, label: FormText?, guidance: FormText? = nil, media: FormMedia = FormMedia(), at path: XFormPath
    ) {
        guard label?.isTranslated == true || guidance != nil || !media.isEmpty else { return }
        append(Entry(id: Self.id(part, at: path), label: label, guidance: guidance, media: media, context: path))
    }

    /// A message in an attribute cannot hold an answer.
    private mutating func addMessage(_ part: String, text: FormText?, at path: XFormPath) {
        guard let text, text.isTranslated || text.all.contains(where: { $0.containsBytes(of: "${") }) else { return }
        append(Entry(id: Self.id(part, at: path), label: text, context: path))
    }

    private mutating func append(_ entry: Entry) {
        ids.insert(Name(entry.id))
        entries.append(entry)
    }

    /// The id of a text in the model; `nil` for one that stands where it is shown.
    func reference(_ part: String, at path: XFormPath) -> String? {
        let id = Self.id(part, at: path)
        return ids.contains(Name(id)) ? "jr:itext('\(id)')" : nil
    }

    private static func id(_ part: String, at path: XFormPath) -> String { "\(path.text):\(part)" }

    static func id(of index: Int, in list: ChoiceList) -> String { "\(list.name.text)-\(index)" }

    /// Whether its labels are in the model.
    static func isTranslated(_ list: ChoiceList) -> Bool {
        list.choices.contains { choice in
            !choice.media.isEmpty || choice.label?.isTranslated == true
                || choice.label?.all.contains { $0.containsBytes(of: "${") } == true
        }
    }

    // MARK: - Writing

    func write(to markup: inout MarkupWriter, context: ExportContext) {
        guard !entries.isEmpty else { return }
        let standard = context.form.language ?? SheetLanguages.fallback
        markup.begin("itext")
        for language in context.languages {
            markup.begin(
                "translation",
                attributes: [
                    ("lang", SheetRows.text(of: language)), ("default", language.code == standard ? "true()" : nil),
                ])
            for entry in entries { write(entry, in: language.code, to: &markup, context: context) }
            markup.end()
        }
        markup.end()
    }

    private func write(_ entry: Entry, in language: Name, to markup: inout MarkupWriter, context: ExportContext) {
        markup.begin("text", attributes: [("id", entry.id)])
        if let label = entry.label {
            // Collect shows a hyphen where a translation is missing.
            value(label.text(in: language) ?? "-", form: nil, at: entry.context, to: &markup, context: context)
        }
        if let guidance = entry.guidance {
            value(
                guidance.text(in: language) ?? "-", form: "guidance", at: entry.context, to: &markup, context: context)
        }
        for item in entry.media.items {
            guard let file = item.file.text(in: language) else { continue }
            let folder = item.kind == .image || item.kind == .bigImage ? "images" : item.kind.rawValue
            value("jr://\(folder)/\(file)", form: item.kind.rawValue, at: entry.context, to: &markup, context: context)
        }
        markup.end()
    }

    private func value(
        _ text: String, form: String?, at path: XFormPath, to markup: inout MarkupWriter, context: ExportContext
    ) {
        markup.begin("value", attributes: [("form", form)])
        Self.write(text, at: path, to: &markup, context: context)
        markup.end()
    }

    /// A text with its references as outputs.
    static func write(_ text: String, at path: XFormPath, to markup: inout MarkupWriter, context: ExportContext) {
        guard text.containsBytes(of: "${") else { return markup.write(text) }
        var rest = text[...]
        markup.write(" ")
        for found in text.matches(of: /\$\{[^}]*\}/) {
            markup.write(String(rest[..<found.range.lowerBound]))
            markup.element("output", with: ["value": context.expression(String(found.0), at: path)])
            rest = text[found.range.upperBound...]
        }
        markup.write(String(rest) + " ")
    }
}

extension FormText {
    var isTranslated: Bool {
        switch self {
        case .plain: false
        case .translated: true
        }
    }

    /// A text for all readers, where there can be only one.
    func single(_ form: Form) -> String { text(in: form.language) ?? all.first ?? "" }
}
