import DocumentValues
import FormLogic

/// Writes the controls of an XForm's body.
struct ControlWriter {
    let context: ExportContext
    let texts: ExportTexts

    func write(_ nodes: [FormNode], below parent: XFormPath, to markup: inout MarkupWriter) {
        for node in nodes {
            let spot = ExportContext.Spot(node: node, path: context.path(of: node, below: parent))
            switch node.kind {
            case .group: writeGroup(spot, to: &markup)
            case .repeat: writeRepeat(spot, to: &markup)
            case .question(let type): if type.isVisible { writeQuestion(spot, type: type, to: &markup) }
            }
        }
    }

    // MARK: - Groups and repeats

    private func writeGroup(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        markup.begin(
            "group", attributes: [("ref", spot.path.text), ("appearance", appearance(spot.node))])
        writeLabel(spot, to: &markup)
        write(spot.node.nodes, below: spot.path, to: &markup)
        markup.end()
    }

    private func writeRepeat(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        let path = spot.path.text
        markup.begin("group", attributes: [("ref", path)])
        writeLabel(spot, to: &markup)
        markup.begin(
            "repeat",
            attributes: [
                ("nodeset", path), ("jr:count", spot.node.repeatCount.map { context.expression($0, at: spot.path) }),
                ("appearance", appearance(spot.node)),
            ])
        write(spot.node.nodes, below: spot.path, to: &markup)
        writeNewValues(spot.node.nodes, below: spot.path, to: &markup)
        markup.end()
        markup.end()
    }

    /// Defaults of an added instance, but not of those in repeats inside.
    private func writeNewValues(_ nodes: [FormNode], below parent: XFormPath, to markup: inout MarkupWriter) {
        for node in nodes where !node.isRepeat {
            let path = context.path(of: node, below: parent)
            writeNewValues(node.nodes, below: path, to: &markup)
            guard let text = node.defaultValue, node.hasDynamicDefault else { continue }
            markup.element(
                "setvalue",
                with: [
                    "ref": path.text, "event": "odk-new-repeat",
                    "value": context.expression(text, at: path),
                ])
        }
    }

    private func appearance(_ node: FormNode) -> String? {
        node.appearance.isEmpty ? nil : node.appearance.joined(separator: " ")
    }

    // MARK: - Questions

    private func writeQuestion(_ spot: ExportContext.Spot, type: QuestionType, to markup: inout MarkupWriter) {
        var attributes: [(String, String?)] = [
            ("ref", spot.path.text), ("appearance", appearance(spot.node)),
        ]
        for parameter in spot.node.parameters {
            switch parameter.name.text {
            case "rows": attributes.append(("rows", parameter.text))
            case "capture-accuracy": attributes.append(("accuracyThreshold", parameter.text))
            case "warning-accuracy": attributes.append(("unacceptableAccuracyThreshold", parameter.text))
            default: break
            }
        }
        switch type {
        case .plain(let plain): attributes += Self.attributes(of: plain, node: spot.node)
        case .select(_, from: .external(let list)):
            attributes.append(("query", itemset(spot, of: Self.items(of: list))))
        case .select: break
        }
        markup.begin(Self.control(of: type), attributes: attributes)
        writeLabel(spot, to: &markup)
        writeHint(spot, to: &markup)
        writeChoices(spot, type: type, to: &markup)
        writeActions(spot, to: &markup)
        markup.end()
    }

    private static func control(of type: QuestionType) -> String {
        switch type {
        case .select(_, from: .external): "input"
        case .select(.one, _): "select1"
        case .select(.multiple, _): "select"
        case .select(.rank, _): "odk:rank"
        case .plain(.image), .plain(.audio), .plain(.video), .plain(.file): "upload"
        case .plain(.acknowledge): "trigger"
        case .plain(.range): "range"
        case .plain: "input"
        }
    }

    private static func attributes(of type: QuestionType.PlainType, node: FormNode) -> [(String, String?)] {
        switch type {
        case .image, .audio, .video: [("mediatype", "\(type.rawValue)/*")]
        case .file: [("mediatype", "application/*")]
        case .range:
            [
                ("start", node.parameters["start"] ?? "1"), ("end", node.parameters["end"] ?? "10"),
                ("step", node.parameters["step"] ?? "1"),
            ]
                + ["tick_interval", "placeholder", "tick_labelset"].map { name in
                    ("odk:\(name.replacing("_", with: "-"))", node.parameters[Name(name)])
                }
        default: []
        }
    }

    private func writeLabel(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        guard spot.node.label != nil || !spot.node.media.isEmpty else { return }
        if let reference = texts.reference("label", at: spot.path) {
            markup.element("label", with: ["ref": reference])
        } else {
            write(spot.node.label, as: "label", at: spot.path, to: &markup)
        }
    }

    private func writeHint(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        if let reference = texts.reference("hint", at: spot.path) {
            markup.element("hint", with: ["ref": reference])
        } else if spot.node.hint != nil {
            write(spot.node.hint, as: "hint", at: spot.path, to: &markup)
        }
    }

    private func write(_ text: FormText?, as name: String, at path: XFormPath, to markup: inout MarkupWriter) {
        markup.begin(name)
        ExportTexts.write(text?.single(context.form) ?? "", at: path, to: &markup, context: context)
        markup.end()
    }

    /// Calculations that run when this answer changes.
    private func writeActions(_ spot: ExportContext.Spot, to markup: inout MarkupWriter) {
        for target in context.triggered[spot.node.name] ?? [] {
            let path = target.path.text
            let isPosition = target.node.type == .plain(.backgroundGeopoint)
            markup.element(
                isPosition ? "odk:setgeopoint" : "setvalue",
                with: [
                    "ref": path, "event": "xforms-value-changed",
                    "value": isPosition ? nil : context.expression(target.node.calculation ?? "", at: target.path),
                ])
        }
    }

    // MARK: - Choices

    private func writeChoices(_ spot: ExportContext.Spot, type: QuestionType, to markup: inout MarkupWriter) {
        guard case .select(_, let source) = type else { return }
        let (nodes, value, label) = parts(of: source, spot: spot)
        guard let nodes else { return }
        markup.element("itemset", with: ["nodeset": randomized(nodes, spot: spot)]) { markup in
            markup.element("value", with: ["ref": value])
            markup.element("label", with: ["ref": label])
        }
    }

    private func parts(
        of source: QuestionType.ChoiceSource, spot: ExportContext.Spot
    ) -> (nodes: String?, value: String, label: String) {
        switch source {
        case .list(let name):
            let isTranslated = context.form.list(name).map { ExportTexts.isTranslated($0) } ?? false
            let nodes = itemset(spot, of: Self.items(of: name))
            return (nodes, "name", isTranslated ? "jr:itext(itextId)" : "label")
        case .file(let name):
            let file = FormFile(name: name, kind: FormFile.Kind(fileName: name))
            let isFeatures = file.kind == .geojson
            return (
                itemset(spot, of: Self.items(of: file.instanceName)),
                spot.node.parameters["value"] ?? (isFeatures ? "id" : "name"),
                spot.node.parameters["label"] ?? (isFeatures ? "title" : "label")
            )
        case .answers(let name):
            guard let path = context.paths.path(name) else { return (nil, "", "") }
            return (answers(path, filter: spot.node.choiceFilter, at: spot.path), name.text, name.text)
        case .external: return (nil, "", "")
        }
    }

    private func itemset(_ spot: ExportContext.Spot, of nodes: String) -> String {
        guard let filter = spot.node.choiceFilter else { return nodes }
        return context.expression("\(nodes)[\(filter)]", at: spot.path)
    }

    /// Blank answers are no choices.
    private func answers(_ question: XFormPath, filter: String?, at path: XFormPath) -> String {
        let base = question.parent.text
        guard let filter else { return "\(base)[./\(question.last.text) != '']" }
        // The answers of the candidate itself.
        let own = filter.replacing(/\$\{([^}]*)\}/) { found in
            let target = context.paths.path(Name(String(found.1)))
            return target?.parent == question.parent ? "./\(found.1) " : String(found.0)
        }
        return context.expression("\(base)[\(own)]", at: path)
    }

    private func randomized(_ nodes: String, spot: ExportContext.Spot) -> String {
        guard spot.node.parameters["randomize"] == "true" else { return nodes }
        guard let seed = spot.node.parameters["seed"] else { return "randomize(\(nodes))" }
        return "randomize(\(nodes), \(context.expression(seed, at: spot.path).trimmingSpaces))"
    }

    /// The XPath of all items of a list, as XForms has it.
    private static func items(of instance: Name) -> String { "instance('\(instance.text)')/root/item" }
}
