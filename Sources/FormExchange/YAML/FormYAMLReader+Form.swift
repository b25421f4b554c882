import DocumentValues
import FormLogic

/// The keys at the top.
extension FormYAMLReader {
    private enum TopKey: String, CaseIterable {
        case form, version, title, languages
        case defaultLanguage = "default_language"
        case instanceName = "instance_name"
        case root, style
        case allowChoiceDuplicates = "allow_choice_duplicates"
        case clientEditable = "client_editable"
        case omitInstanceID = "omit_instanceID"
        case record, bind, lists, files, texts, entities, settings, questions
    }

    mutating func readForm(_ node: YAMLNode) {
        guard let entries = entries(of: node, owner: "a form") else { return }
        var values: [TopKey: YAMLNode] = [:]
        for entry in entries {
            guard let key = TopKey(exactly: entry.key.text) else {
                reportUnknown(entry.key, in: "a form", known: TopKey.allCases.map(\.rawValue))
                continue
            }
            note(FormPart(.form, member: entry.key.name), at: entry.value.position)
            values[key] = entry.value
        }
        note(FormPart(.form), at: node.position)
        readSettings(values)
        // Before all texts: one that is the same in all languages of the form is plain.
        if let languages = values[.languages] { readLanguages(languages) }
        readTitle(values)
        if let lists = values[.lists] { readLists(lists) }
        if let files = values[.files] { readFiles(files) }
        if let texts = values[.texts] { readTexts(texts) }
        readRecord(values)
        if let entities = values[.entities] { readEntities(entities) }
        guard let questions = values[.questions] else { return }
        form.nodes = readQuestions(questions, owner: "questions")
        addOtherChoices()
        addMedia()
    }

    /// Media need not be listed in `files`: a question or a choice that names one is enough, as in a workbook.
    private mutating func addMedia() {
        let listed = form.files.count
        let names = Set(form.files.map(\.name))
        form.files += FormFiles.media(of: form).filter { !names.contains($0.name) }
        FormFiles.notePositions(of: form, from: listed, in: &positions)
    }

    private mutating func readTitle(_ values: [TopKey: YAMLNode]) {
        form.id = values[.form].flatMap { text(of: $0, owner: "form") }.map { Name($0) } ?? ""
        form.title = .plain(form.id.text)
        guard let title = values[.title] else { return }
        let part = FormPart(.form, member: Name(TopKey.title.rawValue))
        form.title = formText(of: title, owner: "title", part: part) ?? form.title
    }

    private mutating func readSettings(_ values: [TopKey: YAMLNode]) {
        form.version = values[.version].flatMap { text(of: $0, owner: "version") } ?? ""
        form.instanceName = values[.instanceName].flatMap { text(of: $0, owner: "instance_name") }
        form.root = values[.root].flatMap { text(of: $0, owner: "root") }.map { Name($0) } ?? form.root
        form.defaultLanguage = values[.defaultLanguage].flatMap { text(of: $0, owner: "default_language") }
            .map { Name($0) }
        form.settings.style = values[.style].flatMap { text(of: $0, owner: "style") }
        form.settings.allowChoiceDuplicates = flag(.allowChoiceDuplicates, in: values)
        form.settings.clientEditable = flag(.clientEditable, in: values)
        form.settings.omitInstanceID = flag(.omitInstanceID, in: values)
        guard let others = values[.settings] else { return }
        let part = FormPart(.form, member: Name(TopKey.settings.rawValue))
        form.settings.rest = JSONObject(
            members: namedTexts(of: others, owner: "settings", part: part).map {
                JSONObject.Member(key: $0.name.text, value: .string($0.text))
            })
    }

    private mutating func flag(_ key: TopKey, in values: [TopKey: YAMLNode]) -> Bool {
        guard let node = values[key], let text = text(of: node, owner: key.rawValue) else { return false }
        guard let value = TruthText.value(of: text) else {
            report(.badParameter, at: node.position, message: "\(key.rawValue): '\(text)' is not 'yes' or 'no'.")
            return false
        }
        return value
    }

    private mutating func readLanguages(_ node: YAMLNode) {
        for entry in entries(of: node, owner: "languages") ?? [] {
            guard let name = entry.value.text else {
                reportShape(of: entry.value, owner: "languages, '\(entry.key.text)'", expected: "a name")
                continue
            }
            note(FormPart(.language(form.languages.count)), at: entry.key.position)
            form.languages.append(FormLanguage(code: entry.key.name, name: name.isEmpty ? entry.key.text : name))
        }
    }

    private mutating func readFiles(_ node: YAMLNode) {
        for item in items(of: node, owner: "files") ?? [] {
            guard let text = text(of: item, owner: "files") else { continue }
            note(FormPart(.file(form.files.count)), at: item.position)
            form.files.append(FormFile(name: Name(text), kind: FormFile.Kind(fileName: Name(text))))
        }
    }

    /// Those that `jr:itext` finds by their ids, in a form that was an XForm.
    private mutating func readTexts(_ node: YAMLNode) {
        for entry in entries(of: node, owner: "texts") ?? [] {
            guard let text = texts(of: entry.value, owner: "text '\(entry.key.text)'") else { continue }
            form.texts.append(FormTextEntry(id: entry.key.name, text: text))
        }
    }

    // MARK: - Records

    private static let boundMembers = ["site", "date", "visit", "score", "notes"]

    private mutating func readRecord(_ values: [TopKey: YAMLNode]) {
        let kind = values[.record].flatMap { text(of: $0, owner: "record") }
        let bound = values[.bind].map { bind in
            let part = FormPart(.form, member: Name(TopKey.bind.rawValue))
            return namedTexts(of: bind, owner: "bind", part: part).filter { isBound($0, in: bind) }
        }
        switch kind {
        case nil, "response"?:
            guard let bind = values[.bind] else { return }
            report(
                .unknownKey, at: bind.position, message: "'bind' belongs to an inspection.",
                hint: "Write 'record: inspection'.")
        case "inspection"?: form.record = .inspection(bound ?? [])
        case let kind?:
            guard let record = values[.record] else { return }
            report(
                .unknownKey, at: record.position, message: "record: '\(kind)' is no kind of record.",
                hint: "Write 'response' or 'inspection'.")
        }
    }

    private mutating func isBound(_ member: NamedText, in node: YAMLNode) -> Bool {
        guard !Self.boundMembers.contains(member.name.text) else { return true }
        let part = FormPart(.form, member: Name(TopKey.bind.rawValue), language: member.name)
        findings.add(
            FormFinding(
                .unknownKey, at: positions[part], message: "'\(member.name.text)' is no member of an inspection.",
                hint: "It has: \(Self.boundMembers.joined(separator: ", "))."))
        return false
    }

    // MARK: - Entities

    private enum EntityKey: String, CaseIterable {
        case listName = "list_name"
        case label
        case entityID = "entity_id"
        case createIf = "create_if"
        case updateIf = "update_if"
        case `repeat`
    }

    private mutating func readEntities(_ node: YAMLNode) {
        for item in items(of: node, owner: "entities") ?? [] {
            let index = form.entities.count
            note(FormPart(.entity(index)), at: item.position)
            var entity = FormEntity(listName: "")
            entity.sourceRow = item.position.line
            for entry in entries(of: item, owner: "an entity") ?? [] {
                guard let key = EntityKey(exactly: entry.key.text) else {
                    reportUnknown(entry.key, in: "an entity", known: EntityKey.allCases.map(\.rawValue))
                    continue
                }
                note(FormPart(.entity(index), member: entry.key.name), at: entry.value.position)
                guard let text = text(of: entry.value, owner: entry.key.text) else { continue }
                Self.set(key, of: &entity, to: text)
            }
            form.entities.append(entity)
        }
    }

    private static func set(_ key: EntityKey, of entity: inout FormEntity, to text: String) {
        switch key {
        case .listName: entity.listName = Name(text)
        case .label: entity.label = text
        case .entityID: entity.entityID = text
        case .createIf: entity.createIf = TruthText.expression(text)
        case .updateIf: entity.updateIf = TruthText.expression(text)
        case .repeat: entity.repeat = Name(text)
        }
    }
}
