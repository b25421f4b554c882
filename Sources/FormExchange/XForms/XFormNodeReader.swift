import DocumentValues
import FormLogic

/// Makes the questions, groups and repeats of a form: names and order from the instance and the body, rules from the
/// binds, texts from the controls.
struct XFormNodeReader {
    let model: XFormModel
    let body: XFormBody
    let texts: XFormTexts
    let references: PathReferences
    let options: FormImportOptions
    private(set) var lists: [ChoiceList] = []
    private(set) var skipped: [Name] = []
    private(set) var usedInstances: Set<Name> = []
    var findings = FormFindings()
    private var count = 0
    /// How many lists of inline items are named for a question.
    private var inlineLists: [Name: Int] = [:]

    init(
        model: XFormModel, body: XFormBody, texts: XFormTexts, references: PathReferences, options: FormImportOptions
    ) {
        self.model = model
        self.body = body
        self.texts = texts
        self.references = references
        self.options = options
    }

    mutating func nodes() -> [FormNode] {
        var nodes = children(of: model.tree.root, depth: 0)
        nodes += lookUpFiles()
        return nodes
    }

    // MARK: - Order

    /// Nodes that the body asks come in its order; the others stay behind the node that is before them in the instance.
    private mutating func children(of parent: InstanceTree.Node, depth: Int) -> [FormNode] {
        var leading: [FormNode] = []
        var asked: [(order: Int, nodes: [FormNode])] = []
        for index in parent.children {
            let node = model.tree.nodes[index]
            let read = read(node, depth: depth)
            if let order = order(of: node) {
                asked.append((order, read))
            } else if asked.isEmpty {
                leading += read
            } else {
                asked[asked.count - 1].nodes += read
            }
        }
        // Nodes of the same order keep theirs.
        let sorted = asked.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
        return leading + sorted.flatMap(\.element.nodes)
    }

    /// Of a group without an element in the body, that of its first question.
    private func order(of node: InstanceTree.Node) -> Int? {
        if let own = body.orders[node.path] { return own }
        return node.children.compactMap { order(of: model.tree.nodes[$0]) }.min()
    }

    private mutating func read(_ node: InstanceTree.Node, depth: Int) -> [FormNode] {
        guard node.path.last.text != "meta" else { return meta(node) }
        count += 1
        guard count <= FormLimits.nodes, depth < FormExchangeLimits.depth else {
            if count == FormLimits.nodes + 1 || depth == FormExchangeLimits.depth {
                add(
                    .limit, at: node.line,
                    message: "a form has at most \(FormLimits.nodes) questions, \(FormLimits.depth) deep."
                )
            }
            return []
        }
        let isRepeat = body.repeats[node.path] != nil || node.isTemplate
        reportRepetition(of: node, isRepeat: isRepeat)
        if isRepeat || body.groups[node.path] != nil || !node.children.isEmpty {
            return structure(node, isRepeat: isRepeat, depth: depth)
        }
        return [question(node)]
    }

    private mutating func reportRepetition(of node: InstanceTree.Node, isRepeat: Bool) {
        guard node.occurrences > 1, !isRepeat else { return }
        add(
            .ignored, at: node.line,
            message: "'\(node.path.last.text)' is here \(node.occurrences) times, and is no repeat; the first is read.")
    }

    /// Only the log of a meta block is a node of ours.
    private mutating func meta(_ node: InstanceTree.Node) -> [FormNode] {
        guard let audit = node.children.map({ model.tree.nodes[$0] }).first(where: { $0.path.last.text == "audit" })
        else { return [] }
        var log = FormNode(name: "audit", kind: .question(.plain(.audit)))
        log.sourceRow = audit.line
        log.parameters = XFormRules.parameters(of: [model.binds[audit.path]].compactMap { $0 }, for: .audit)
        return [log]
    }

    // MARK: - Groups and repeats

    private mutating func structure(_ node: InstanceTree.Node, isRepeat: Bool, depth: Int) -> [FormNode] {
        var result = FormNode(name: node.path.last, kind: isRepeat ? .repeat : .group)
        let element = body.groups[node.path]
        let repeated = body.repeats[node.path]
        result.sourceRow = (repeated ?? element)?.line ?? node.line
        let rules = XFormRules(path: node.path, bind: model.binds[node.path], references: references)
        rules.readCommon(into: &result)
        result.required = nil
        for element in [element, repeated].compactMap({ $0 }) { readTexts(of: element, path: node.path, into: &result) }
        result.appearance = [element, repeated].compactMap { $0?["appearance"] }.flatMap { CellText.parts($0) }
        result.nodes = children(of: node, depth: depth + 1)
        guard isRepeat else { return [result] }
        result.firstInstances = XFormInstances(tree: model.tree, repeats: body.repeats).first(of: node)
        if let count = repeated?["count", in: .javaRosa] {
            result.repeatCount = references.converted(count, context: node.path)
        } else if repeated?["noAddRemove", in: .javaRosa]?.hasPrefix("true") == true {
            result.repeatCount = String(max(1, node.occurrences))
        }
        // The count makes those that have nothing of their own.
        if result.repeatCount != nil, result.firstInstances.allSatisfy(\.isEmpty) { result.firstInstances = [] }
        let count = CountQuestion.split(from: &result)
        return [count, result].compactMap { $0 }
    }

    private mutating func readTexts(of element: MarkupElement, path: XFormPath, into node: inout FormNode) {
        let reader = XFormTextReader(texts: texts, references: references, path: path)
        reader.read(element, into: &node)
    }

    // MARK: - Questions

    private mutating func question(_ source: InstanceTree.Node) -> FormNode {
        let control = body.controls[source.path]?.element
        let bind = model.binds[source.path]
        var node = FormNode(name: source.path.last, kind: .question(.text))
        node.sourceRow = control?.line ?? bind?.line ?? source.line
        let rules = XFormRules(path: source.path, bind: bind, references: references)
        rules.readCommon(into: &node)
        rules.readMessages(texts: texts, into: &node)
        let acted = rules.readActions(model.actions[source.path] ?? [], into: &node)
        let first = acted ?? .text(source.text)
        if !first.raw.isEmpty { node.defaultValue = first.raw }
        if let control {
            readTexts(of: control, path: source.path, into: &node)
            node.appearance = control["appearance"].map { CellText.parts($0) } ?? []
            readType(of: &node, control: control, bind: bind, path: source.path)
        } else {
            node.kind = .question(.plain(hiddenType(of: node, bind: bind, path: source.path)))
            if node.type == .plain(.calculate) { node.readOnly = nil }
        }
        setDefault(of: &node, to: first)
        return node
    }

    /// The default as its type has it; of a picture the name of the file.
    private func setDefault(of node: inout FormNode, to first: XFormFirstValue) {
        guard let type = node.type, node.defaultValue != nil else { return }
        guard type == .plain(.image), case .text(let address) = first else {
            node.defaultValue = first.defaultValue(for: type)
            return
        }
        node.defaultValue = XFormFirstValue.text(XFormTexts.fileName(address)).defaultValue(for: type)
    }

    private mutating func readType(
        of node: inout FormNode, control: MarkupElement, bind: MarkupElement?, path: XFormPath
    ) {
        let bindType = bind?["type"].map { $0.split(atByte: ":").last.map(String.init) ?? $0 } ?? "string"
        let kind: QuestionType.SelectKind? =
            switch control.local {
            case "select1": .one
            case "select": .multiple
            case "rank": .rank
            default: nil
            }
        if let kind {
            readChoices(of: &node, kind: kind, control: control, path: path)
        } else if control.local == "input", let query = control["query"] {
            let itemset = ItemsetText(query)
            if case .instance(let list) = itemset.source {
                node.kind = .question(.select(.one, from: .external(Name(list))))
                node.choiceFilter = itemset.filter.map { references.converted($0, context: path).trimmingSpaces }
            }
        } else {
            let type = XFormTypes.type(ofControl: control, bind: bindType)
            node.kind = .question(.plain(type))
            if control.local == "secret" { node.appearance.append("masked") }
            let isNote = type == .text && node.readOnly == "true()" && node.required == nil
            if isNote, node.defaultValue == nil, node.trigger.isEmpty {
                node.kind = .question(.plain(.note))
                node.readOnly = nil
            }
            node.parameters = XFormRules.parameters(of: [control, bind].compactMap { $0 }, for: type)
        }
        if control.local == "upload", control["mediatype"]?.hasPrefix("osm") == true {
            refuse(&node, construct: "osm", line: control.line)
        }
    }

    private func hiddenType(of node: FormNode, bind: MarkupElement?, path: XFormPath) -> QuestionType.PlainType {
        if let kind = bind?["preload", in: .javaRosa] {
            let parameter = bind?["preloadParams", in: .javaRosa] ?? ""
            if let type = XFormTypes.preloaded(kind, parameter: parameter) { return type }
        }
        let actions = model.actions[path] ?? []
        if actions.contains(where: \.isPosition) { return node.trigger.isEmpty ? .startGeopoint : .backgroundGeopoint }
        return node.calculation != nil || !node.trigger.isEmpty ? .calculate : .hidden
    }

    private mutating func refuse(_ node: inout FormNode, construct: String, line: Int) {
        SkippedQuestions.hide(&node)
        if options.skipsUnsupported {
            skipped.append(node.name)
            add(
                .ignored, at: line,
                message: "'\(construct)' cannot be asked here; the question '\(node.name)' is hidden.")
        } else {
            findings.add(
                FormFinding(
                    .unsupported, at: .text(line: line, column: 1), message: "'\(construct)' cannot be asked here.",
                    hint: "Import with --skip-unsupported to hide the question '\(node.name)'."))
        }
    }

    private mutating func add(_ code: FindingCode, at line: Int, message: String, hint: String? = nil) {
        findings.add(FormFinding(code, at: .text(line: line, column: 1), message: message, hint: hint))
    }
}

// MARK: - Choices

extension XFormNodeReader {
    private mutating func readChoices(
        of node: inout FormNode, kind: QuestionType.SelectKind, control: MarkupElement, path: XFormPath
    ) {
        if node.appearance.contains(where: { $0.hasPrefix("search") && $0.contains(/^search\s*\(/) }) {
            node.kind = .question(.select(kind, from: .list(node.name)))
            return refuse(&node, construct: "search()", line: control.line)
        }
        guard let itemset = control.child("itemset") else {
            let list = addInlineList(of: node.name, control: control, path: path)
            node.kind = .question(.select(kind, from: .list(list)))
            return
        }
        if itemset.child("copy") != nil { return refuse(&node, construct: "copy", line: itemset.line) }
        let text = ItemsetText(itemset["nodeset"] ?? "")
        node.choiceFilter = text.filter.map { references.converted($0, context: path).trimmingSpaces }
        if text.isRandomized {
            node.parameters.append(NamedText(name: "randomize", text: "true"))
            if let seed = text.seed {
                let converted = references.converted(" \(seed) ", context: path).trimmingSpaces
                node.parameters.append(NamedText(name: "seed", text: converted))
            }
        }
        let value = itemset.child("value")?["ref"] ?? "name"
        let label = itemset.child("label")?["ref"] ?? "label"
        switch text.source {
        case .instance(let id):
            readInstance(id, value: value, label: label, kind: kind, line: itemset.line, into: &node)
        case .nodes(let nodes):
            readAnswers(nodes, value: value, kind: kind, line: itemset.line, path: path, into: &node)
        }
    }

    private mutating func readInstance(
        _ id: String, value: String, label: String, kind: QuestionType.SelectKind, line: Int, into node: inout FormNode
    ) {
        guard let instance = model.instance(id) else {
            node.kind = .question(.select(kind, from: .list(Name(id))))
            return add(.unknownList, at: line, message: "no instance is called '\(id)'.")
        }
        usedInstances.insert(Name(id))
        if let source = instance["src"] {
            let file = Name(XFormTexts.fileName(source))
            node.kind = .question(.select(kind, from: .file(file)))
            let isFeatures = file.text.lowercased().hasSuffix(".geojson")
            if value != (isFeatures ? "id" : "name") {
                node.parameters.append(NamedText(name: "value", text: value))
            }
            if label != (isFeatures ? "title" : "label") {
                node.parameters.append(NamedText(name: "label", text: label))
            }
            return
        }
        node.kind = .question(.select(kind, from: .list(Name(id))))
        guard !lists.contains(where: { $0.name.text == id }) else { return }
        let list = XFormLists(texts: texts).list(instance, named: Name(id), valueName: value, label: label)
        if let list, Self.isPlain(instance) || !isUsed(id) {
            lists.append(list)
        } else {
            add(
                .unsupported, at: instance.line,
                message: "the instance '\(id)' is no list of items without items in them.")
        }
    }

    /// Whether it has the elements that look-ups name.
    private static func isPlain(_ instance: MarkupElement) -> Bool {
        guard let root = instance.children.first else { return false }
        return root.local == "root" && root.children.allSatisfy { $0.local == "item" }
    }

    /// Whether an expression looks something up in an instance.
    private func isUsed(_ id: String) -> Bool {
        let values =
            model.binds.values.flatMap { $0.tag.attributes.map(\.value) }
            + model.actions.values.flatMap { $0.compactMap(\.value) }
        return values.contains { text in
            text.containsBytes(of: "instance('\(id)')") || text.containsBytes(of: "instance(\"\(id)\")")
        }
    }

    /// Answers to a question in a repeat.
    private mutating func readAnswers(
        _ nodes: String, value: String, kind: QuestionType.SelectKind, line: Int, path: XFormPath,
        into node: inout FormNode
    ) {
        let base = XFormPath(nodes)
        guard let base, model.tree[base.appending(Name(value))] != nil else {
            node.kind = .question(.select(kind, from: .list(Name(node.name.text + "_choices"))))
            return add(.unsupported, at: line, message: "choices cannot come from '\(nodes)'.")
        }
        node.kind = .question(.select(kind, from: .answers(Name(value))))
        // pyxform leaves out the blank ones, as we do.
        if let filter = node.choiceFilter {
            let isBlank = filter == "./\(value) != ''"
            node.choiceFilter = isBlank ? nil : candidateReferences(filter, base: base)
        }
    }

    /// `./age` of the candidate as the reference that it was.
    private func candidateReferences(_ filter: String, base: XFormPath) -> String {
        guard model.isGenerated else { return filter }
        return filter.replacing(/\.\/([A-Za-z_][A-Za-z0-9_.\-]*) ?/) { found in
            let path = base.appending(Name(String(found.1)))
            return model.tree[path] == nil ? String(found.0) : "${\(found.1)}"
        }
    }

    /// Questions in several groups may have one name: lists that differ get a number.
    private mutating func addInlineList(of question: Name, control: MarkupElement, path: XFormPath) -> Name {
        let reader = XFormTextReader(texts: texts, references: references, path: path)
        var choices: [Choice] = []
        for item in control.children("item") {
            let name = Name(item.child("value")?.text.trimmingSpaces ?? "")
            var choice = Choice(name: name, sourceRow: item.line)
            reader.read(item, into: &choice)
            if !name.isEmpty { choices.append(choice) }
        }
        let count = inlineLists[question, default: 0] + 1
        inlineLists[question] = count
        let name = Name("\(question.text)_choices\(count == 1 ? "" : "_\(count)")")
        lists.append(ChoiceList(name: name, choices: choices))
        return name
    }

    // MARK: - The rest of the model

    /// A file that only expressions use is a question that declares it.
    private mutating func lookUpFiles() -> [FormNode] {
        var nodes: [FormNode] = []
        for instance in model.instances {
            guard let id = instance["id"], !usedInstances.contains(Name(id)) else { continue }
            guard let source = instance["src"] else {
                readUnasked(instance, id: id)
                continue
            }
            let isLookedUp = model.binds.values.contains { bind in
                bind.tag.attributes.contains {
                    $0.value.containsBytes(of: "pulldata") && $0.value.containsBytes(of: id)
                }
            }
            guard source.hasPrefix("jr://file"), !isLookedUp, model.tree.paths.allSatisfy({ $0.last.text != id })
            else { continue }
            let isXML = source.lowercased().hasSuffix(".xml")
            let name = references.instanceNames[Name(id)] ?? Name(id)
            nodes.append(FormNode(name: name, kind: .question(.plain(isXML ? .xmlExternal : .csvExternal))))
        }
        return nodes
    }

    /// An instance that no question offers, but that an expression may look something up in.
    private mutating func readUnasked(_ instance: MarkupElement, id: String) {
        let list = XFormLists(texts: texts).list(instance, named: Name(id), valueName: "name", label: nil)
        if let list, Self.isPlain(instance) {
            lists.append(list)
        } else if isUsed(id) {
            add(.unsupported, at: instance.line, message: "the instance '\(id)' is no list of items.")
        } else {
            add(.ignored, at: instance.line, message: "the instance '\(id)' is not used, and not read.")
        }
    }

    /// Texts that expressions find by their ids.
    var namedTexts: [FormTextEntry] {
        var used: Set<Name> = []
        for bind in model.binds.values {
            for attribute in bind.tag.attributes
            where attribute.local != "constraintMsg" && attribute.local != "requiredMsg" {
                for found in attribute.value.matches(of: /jr:itext\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/) {
                    used.insert(Name(String(found.1 ?? found.2 ?? "")))
                }
            }
        }
        return texts.ids.filter { used.contains($0) }.compactMap { id in
            guard let entry = texts.entries[id], let text = texts.text(entry.label) else { return nil }
            return FormTextEntry(id: id, text: text)
        }
    }

    /// Lines of the XForm; it has no finer positions.
    func positions(of form: Form) -> SourcePositions {
        var positions = SourcePositions()
        var index = 0
        note(form.nodes, index: &index, in: &positions)
        for (list, choices) in form.lists.enumerated() {
            for (choice, row) in choices.choices.map(\.sourceRow).enumerated() {
                guard let row else { continue }
                positions.note(FormPart(.choice(list: list, index: choice)), at: .text(line: row, column: 1))
            }
        }
        return positions
    }

    private func note(_ nodes: [FormNode], index: inout Int, in positions: inout SourcePositions) {
        for node in nodes {
            if let row = node.sourceRow { positions.note(FormPart(.node(index)), at: .text(line: row, column: 1)) }
            index += 1
            note(node.nodes, index: &index, in: &positions)
        }
    }
}
