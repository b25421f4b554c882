import DocumentValues
import FormLogic

/// Writes a form as the sheets of an XLSForm.
package struct SheetExport {
    package private(set) var sheets: [Sheet] = []
    /// Parts of the form for which sheets have no column: `a title in several languages`.
    package private(set) var losses: [String] = []
    private let form: Form

    package init(_ form: Form) {
        self.form = form
        let survey = survey()
        let choices = [choices(isExternal: false), choices(isExternal: true)].compactMap { $0 }
        let settings = settings(keepsSpaces: survey.hasText { Self.isOther($0, collapsesSpaces: true) })
        sheets = [survey] + choices + [settings, entities()].compactMap { $0 }
        losses = losses(of: form)
        if sheets.contains(where: { $0.hasText { Self.isOther($0, collapsesSpaces: false) } }) {
            losses.append("curved quotation marks and no-break spaces, which sheets are read without")
        }
    }

    /// Whether a text is read as another.
    private static func isOther(_ text: String, collapsesSpaces: Bool) -> Bool {
        CellText.cleaned(text, collapsesSpaces: collapsesSpaces) != text
    }

    // MARK: - Survey

    private func survey() -> Sheet {
        var rows = SheetRows(
            name: "survey", order: SurveyColumn.allCases.map(\.rawValue), languages: form.languages)
        write(form.nodes, into: &rows)
        // A language without a text would be lost.
        if !form.languages.isEmpty, !rows.hasTranslations { rows.translate("label") }
        return rows.sheet
    }

    private func write(_ nodes: [FormNode], into rows: inout SheetRows) {
        for folded in FoldedNode.siblings(nodes, of: form) {
            rows.begin()
            write(folded, into: &rows)
            guard folded.node.type == nil else { continue }
            write(folded.node.nodes, into: &rows)
            rows.begin()
            rows.put("end_\(folded.node.kind.typeName)", in: "type")
        }
    }

    private func write(_ folded: FoldedNode, into rows: inout SheetRows) {
        let node = folded.node
        rows.put(Self.typeText(of: node) + (folded.addsOther ? " or_other" : ""), in: "type")
        rows.put(node.name.text, in: "name")
        rows.put(node.label, in: "label")
        rows.put(node.hint, in: "hint")
        rows.put(node.guidanceHint, in: "guidance_hint")
        rows.put(node.required.map { Self.flag($0) }, in: "required")
        rows.put(node.requiredMessage, in: "required_message")
        rows.put(node.constraint, in: "constraint")
        rows.put(node.constraintMessage, in: "constraint_message")
        rows.put(node.relevant, in: "relevant")
        rows.put(node.readOnly.map { Self.flag($0) }, in: "read_only")
        rows.put(node.calculation, in: "calculation")
        rows.put(node.defaultValue, in: "default")
        rows.put(node.choiceFilter, in: "choice_filter")
        rows.put(node.repeatCount, in: "repeat_count")
        rows.put(node.saveTo, in: "save_to")
        if !node.trigger.isEmpty {
            rows.put(node.trigger.map { "${\($0.text)}" }.joined(separator: ", "), in: "trigger")
        }
        if !node.appearance.isEmpty { rows.put(node.appearance.joined(separator: " "), in: "appearance") }
        if !node.parameters.isEmpty {
            rows.put(node.parameters.map { "\($0.name.text)=\($0.text)" }.joined(separator: " "), in: "parameters")
        }
        write(node.media, into: &rows)
        for member in node.rest where member.key.containsBytes(of: "::") {
            rows.put(member.value.stringValue, in: member.key)
        }
    }

    private func write(_ media: FormMedia, into rows: inout SheetRows) {
        for item in media.items { rows.put(item.file, in: item.kind.rawValue) }
    }

    private static func flag(_ expression: String) -> String {
        switch expression {
        case "true()": "yes"
        case "false()": "no"
        default: expression
        }
    }

    private static func typeText(of node: FormNode) -> String {
        switch node.kind {
        case .group: "begin_group"
        case .repeat: "begin_repeat"
        case .question(.plain(let type)): type.rawValue
        case .question(.select(_, let source)):
            switch source {
            case .list(let name), .file(let name), .external(let name): "\(node.kind.typeName) \(name.text)"
            case .answers(let name): "\(node.kind.typeName) ${\(name.text)}"
            }
        }
    }

    // MARK: - Choices

    /// Lists of the sheet `external_choices` are those that only its questions use.
    private func choices(isExternal: Bool) -> Sheet? {
        let external = Self.externalLists(form.nodes)
        let lists = form.lists.filter { external.contains($0.name) == isExternal && !$0.choices.isEmpty }
        guard !lists.isEmpty else { return nil }
        var rows = SheetRows(
            name: isExternal ? "external_choices" : "choices", order: ChoicesColumn.allCases.map(\.rawValue),
            languages: form.languages)
        for list in lists {
            for choice in list.choices {
                rows.begin()
                rows.put(list.name.text, in: "list_name")
                rows.put(choice.name.text, in: "name")
                rows.put(choice.label, in: "label")
                write(choice.media, into: &rows)
                for column in choice.columns where ChoicesColumn.named(column.name.text) == nil {
                    rows.put(column.text, in: column.name.text)
                }
            }
        }
        return rows.sheet
    }

    private static func externalLists(_ nodes: [FormNode]) -> Set<Name> {
        nodes.reduce(into: []) { names, node in
            if case .select(_, from: .external(let name))? = node.type { names.insert(name) }
            names.formUnion(externalLists(node.nodes))
        }
    }

    // MARK: - Settings and entities

    /// - Parameter keepsSpaces: texts have several spaces in a row.
    private func settings(keepsSpaces: Bool) -> Sheet {
        var rows = SheetRows(
            name: "settings", order: SettingsColumn.allCases.map(\.rawValue), languages: form.languages)
        rows.begin()
        rows.put(form.id.text, in: "form_id")
        rows.put(form.title.single(form), in: "form_title")
        if case .translated = form.title { rows.put(form.title, in: SettingsColumn.translatedTitle.rawValue) }
        rows.put(form.version.isEmpty ? nil : form.version, in: "version")
        rows.put(form.instanceName, in: "instance_name")
        let language = form.languages.first { $0.code == form.defaultLanguage && $0.code != SheetLanguages.fallback }
        rows.put(language.map { SheetRows.text(of: $0) }, in: "default_language")
        rows.put(form.root.text == "data" ? nil : form.root.text, in: "name")
        rows.put(form.settings.style, in: "style")
        for (isSet, column) in [
            (form.settings.allowChoiceDuplicates, SettingsColumn.allowChoiceDuplicates),
            (form.settings.clientEditable, .clientEditable), (form.settings.omitInstanceID, .omitInstanceID),
        ] where isSet { rows.put("yes", in: column.rawValue) }
        if keepsSpaces { rows.put("no", in: SettingsColumn.cleanTextValues.rawValue) }
        for member in form.settings.rest { rows.put(member.value.stringValue, in: member.key) }
        return rows.sheet
    }

    private func entities() -> Sheet? {
        guard !form.entities.isEmpty else { return nil }
        var rows = SheetRows(name: "entities", order: EntitiesColumn.allCases.map(\.rawValue), languages: [])
        for entity in form.entities {
            rows.begin()
            rows.put(entity.listName.text, in: "list_name")
            rows.put(entity.label, in: "label")
            rows.put(entity.entityID, in: "entity_id")
            rows.put(entity.createIf, in: "create_if")
            rows.put(entity.updateIf, in: "update_if")
            rows.put(entity.repeat.map { "${\($0.text)}" }, in: "repeat")
        }
        return rows.sheet
    }

    // MARK: - Losses

    private static func repeatsWithInstances(_ nodes: [FormNode]) -> [Name] {
        nodes.flatMap { ($0.firstInstances.isEmpty ? [] : [$0.name]) + repeatsWithInstances($0.nodes) }
    }

    private func losses(of form: Form) -> [String] {
        var losses: [String] = []
        if case .inspection = form.record { losses.append("the members of an inspection that answers fill") }
        let named = Set(FormFiles.all(of: form).map(\.name))
        losses += form.files.filter { !named.contains($0.name) }.map {
            "the file '\($0.name.text)', which nothing names"
        }
        losses += Self.repeatsWithInstances(form.nodes).map { "the instances with which '\($0.text)' begins" }
        if !form.texts.isEmpty { losses.append("texts that expressions find by their ids") }
        let blobs = form.lists.filter { list in
            if case .blob = list.content { true } else { false }
        }
        losses += blobs.map { "the choices of '\($0.name.text)', which are kept beside the definition" }
        for list in form.lists {
            let lost = Set(list.choices.flatMap(\.columns).map(\.name)).filter { ChoicesColumn.named($0.text) != nil }
            losses += lost.sorted().map { "the column '\($0.text)' of the choices of '\(list.name.text)'" }
        }
        return losses
    }
}

extension Sheet {
    fileprivate func hasText(where condition: (String) -> Bool) -> Bool {
        rows.contains { $0.cells.contains { condition($0.text) } }
    }
}
