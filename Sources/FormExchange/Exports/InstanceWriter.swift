import DocumentValues
import FormLogic

/// Writes the instances of an XForm: that of a record, and those of choices and files.
struct InstanceWriter {
    let context: ExportContext

    func write(to markup: inout MarkupWriter) {
        let form = context.form
        markup.begin("instance")
        markup.begin(
            form.root.text,
            attributes: [("id", form.id.text), ("version", form.version.isEmpty ? nil : form.version)])
        write(form.nodes, in: .record, texts: nil, to: &markup)
        writeMeta(to: &markup)
        markup.end()
        markup.end()
        writeFiles(to: &markup)
        for list in form.lists { write(list, to: &markup) }
    }

    /// Where a repeat is: in a template it has only a template, in an instance only an instance.
    private enum Surrounding {
        case record
        case template
        case instance
    }

    /// - Parameter texts: of the instance around them, of which a record begins with several.
    private func write(
        _ nodes: [FormNode], in surrounding: Surrounding, texts: JSONObject?, to markup: inout MarkupWriter
    ) {
        for node in nodes {
            let value = texts?[node.name.text]
            switch node.type {
            case .plain(.audit)?, .plain(.csvExternal)?, .plain(.xmlExternal)?: continue
            case .plain?, .select?:
                let text = value?.stringValue.map { Self.address($0, of: node) }
                markup.element(node.name.text) { $0.write(text ?? Self.text(of: node)) }
            case nil where node.isRepeat:
                if surrounding != .instance { writeStructure(node, in: .template, texts: nil, to: &markup) }
                guard surrounding != .template else { continue }
                let inner = value?.arrayValue?.compactMap(\.objectValue) ?? []
                let known = surrounding == .record ? node.firstInstances : inner
                for instance in known.isEmpty ? [nil] : known.map(Optional.some) {
                    writeStructure(node, in: .instance, texts: instance, to: &markup)
                }
            case nil: writeStructure(node, in: surrounding, texts: value?.objectValue, to: &markup)
            }
        }
    }

    private func writeStructure(
        _ node: FormNode, in surrounding: Surrounding, texts: JSONObject?, to markup: inout MarkupWriter
    ) {
        let isTemplate = node.isRepeat && surrounding == .template
        markup.begin(node.name.text, attributes: [("jr:template", isTemplate ? "" : nil)])
        write(node.nodes, in: surrounding, texts: texts, to: &markup)
        let entities = context.form.entities.filter { node.isRepeat && $0.repeat == node.name }
        if !entities.isEmpty {
            markup.begin("meta")
            for entity in entities { Self.write(entity, to: &markup) }
            markup.end()
        }
        markup.end()
    }

    private static func text(of node: FormNode) -> String {
        guard let text = node.defaultValue, !node.hasDynamicDefault else { return "" }
        return address(text, of: node)
    }

    private static func address(_ text: String, of node: FormNode) -> String {
        node.type == .plain(.image) && !text.isEmpty ? "jr://images/\(text)" : text
    }

    private func writeMeta(to markup: inout MarkupWriter) {
        let form = context.form
        markup.begin("meta")
        var hasLog = false
        context.visit { if $0.node.type == .plain(.audit) { hasLog = true } }
        if hasLog { markup.element("audit") }
        for entity in form.entities where entity.repeat == nil { Self.write(entity, to: &markup) }
        if !form.settings.omitInstanceID { markup.element("instanceID") }
        if form.instanceName != nil { markup.element("instanceName") }
        markup.end()
    }

    private static func write(_ entity: FormEntity, to markup: inout MarkupWriter) {
        let creates = entity.entityID == nil || entity.createIf != nil
        markup.element(
            "entity",
            attributes: [
                ("dataset", entity.listName.text), ("id", ""), ("create", creates ? "1" : nil),
                ("update", entity.entityID != nil ? "1" : nil),
            ]
        ) { if entity.label != nil { $0.element("label") } }
    }

    private func writeFiles(to markup: inout MarkupWriter) {
        var usesLast = false
        context.visit { spot in
            if spot.node.expressions.contains(where: { $0.containsBytes(of: "${last-saved#") }) { usesLast = true }
        }
        for file in context.form.files where file.kind != .media {
            let folder = file.kind == .csv ? "file-csv" : "file"
            markup.element("instance", with: ["id": file.instanceName.text, "src": "jr://\(folder)/\(file.name.text)"])
        }
        if usesLast { markup.element("instance", with: ["id": "__last-saved", "src": "jr://instance/last-saved"]) }
    }

    private func write(_ list: ChoiceList, to markup: inout MarkupWriter) {
        let isTranslated = ExportTexts.isTranslated(list)
        markup.begin("instance", attributes: [("id", list.name.text)])
        markup.begin("root")
        for (index, choice) in list.choices.enumerated() {
            if let text = choice.columns[TableInstance.ownText] {
                markup.element("item") { $0.write(text) }
                continue
            }
            markup.begin("item")
            if isTranslated { markup.element("itextId") { $0.write(ExportTexts.id(of: index, in: list)) } }
            markup.element("name") { $0.write(choice.name.text) }
            if !isTranslated, let label = choice.label {
                markup.element("label") { $0.write(label.single(context.form)) }
            }
            for column in choice.columns { markup.element(column.name.text) { $0.write(column.text) } }
            markup.end()
        }
        markup.end()
        markup.end()
    }
}
