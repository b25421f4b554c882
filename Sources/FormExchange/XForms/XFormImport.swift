import DocumentValues
import FormLogic

/// Makes a form of an XForm: as pyxform writes it, and as other tools did before.
package enum XFormImport {
    /// - Throws: `FormFileError` where the file is no XForm, has a document type, is damaged or exceeds a limit.
    package static func form(of bytes: [UInt8], options: FormImportOptions) throws(FormFileError) -> FormReading {
        let root = try MarkupElement(bytes, file: options.file)
        guard let head = root.child("head"), let body = root.child("body"), let model = head.child("model") else {
            throw FormFileError(
                .notAForm("an XForm has the elements head, model and body in html"), file: options.file)
        }
        var work = try XFormWork(
            model: model, body: body, title: head.child("title")?.text.trimmingSpaces, options: options)
        return work.form()
    }
}

/// The parts of one XForm while its form is put together.
private struct XFormWork {
    private let options: FormImportOptions
    private let title: String?
    private let body: MarkupElement
    private let model: XFormModel
    private let controls: XFormBody
    private let references: PathReferences
    private let texts: XFormTexts
    private var findings = FormFindings()

    init(
        model element: MarkupElement, body: MarkupElement, title: String?, options: FormImportOptions
    ) throws(FormFileError) {
        var model = try XFormModel(element, file: options.file)
        let controls = XFormBody(body, byID: Self.paths(of: element), model: &model)
        let templates = model.tree.nodes.filter(\.isTemplate).map(\.path)
        let references = PathReferences(
            tree: model.tree, repeats: Set(templates + controls.repeats.keys), isGenerated: model.isGenerated,
            instanceNames: Self.instanceNames(model))
        texts = XFormTexts(element, isGenerated: model.isGenerated) { value, context in
            XFormText.text(of: value, context: context, references: references)
        }
        self.options = options
        self.title = title
        self.body = body
        self.model = model
        self.controls = controls
        self.references = references
    }

    /// Files whose instances are called otherwise than they.
    private static func instanceNames(_ model: XFormModel) -> [Name: Name] {
        var names: [Name: Name] = [:]
        for instance in model.instances {
            guard let id = instance["id"], let source = instance["src"], source.hasPrefix("jr://file") else { continue }
            let file = Name(XFormTexts.fileName(source))
            let name = FormFile(name: file, kind: FormFile.Kind(fileName: file)).instanceName
            if name.text != id { names[Name(id)] = name }
        }
        return names
    }

    /// Binds by their ids, which controls of older forms name.
    private static func paths(of model: MarkupElement) -> [Name: XFormPath] {
        var paths: [Name: XFormPath] = [:]
        for bind in model.children("bind") {
            guard let id = bind["id"], let path = bind["nodeset"].flatMap({ XFormPath($0) }) else { continue }
            paths[Name(id)] = path
        }
        return paths
    }

    mutating func form() -> FormReading {
        var reader = XFormNodeReader(
            model: model, body: controls, texts: texts, references: references, options: options)
        let nodes = reader.nodes()
        let root = model.tree.root
        let id = root.attributes.first { $0.local == "id" }?.value
        var form = Form(id: options.formID ?? id.map { Name($0) } ?? options.derivedID, nodes: nodes)
        form.root = root.path.last
        form.version = root.attributes.first { $0.local == "version" }?.value ?? ""
        if let title, !title.isEmpty { form.title = .plain(title) } else { form.title = .plain(form.id.text) }
        form.languages = texts.named
        form.defaultLanguage = texts.standard
        form.lists = reader.lists
        form.texts = reader.namedTexts
        readMeta(into: &form)
        readSubmission(into: &form)
        form.settings.style = body["class"]
        form.settings.allowChoiceDuplicates = form.lists.contains { list in
            Set(list.choices.map(\.name)).count < list.choices.count
        }
        addFiles(to: &form, itemsets: reader.usedInstances)
        if !reader.skipped.isEmpty {
            form.nodes.insert(SkippedQuestions.note(reader.skipped, in: form), at: 0)
        }
        reportRest()
        findings.merge(reader.findings)
        var positions = reader.positions(of: form)
        FormFiles.notePositions(of: form, in: &positions)
        return FormReading(form: form, positions: positions, findings: findings, isPartial: !controls.unknown.isEmpty)
    }

    // MARK: - Meta and settings

    private func readMeta(into form: inout Form) {
        let meta = model.tree.root.path.appending("meta")
        if let name = model.binds[meta.appending("instanceName")]?["calculate"] {
            form.instanceName = references.converted(name, context: meta.appending("instanceName"))
        }
        // Only of use where a form makes several records of one paper.
        form.settings.omitInstanceID = model.tree[meta.appending("instanceID")] == nil
        form.entities = XFormEntities(model: model, references: references).all
    }

    private mutating func readSubmission(into form: inout Form) {
        guard let submission = model.element.child("submission") else { return }
        form.settings.clientEditable = submission["client-editable", in: .odk] == "true"
        var kept: [JSONObject.Member] = []
        for (key, value) in [
            ("submission_url", submission["action"]), ("auto_send", submission["auto-send", in: .openRosa]),
            ("auto_delete", submission["auto-delete", in: .openRosa]),
        ] {
            if let value { kept.append(JSONObject.Member(key: key, value: .string(value))) }
        }
        form.settings.rest = JSONObject(members: kept)
        guard submission["base64RsaPublicKey"] != nil else { return }
        let position = SourcePosition.text(line: submission.line, column: 1)
        findings.add(
            options.ignoresEncryption
                ? FormFinding(
                    .ignored, at: position,
                    message: "records are not encrypted with this key: the vault and the gateway seal them.")
                : FormFinding(
                    .unsupported, at: position, message: "records cannot be encrypted for this key.",
                    hint: "Import with --ignore-encryption: the vault and the gateway seal records otherwise."))
    }

    /// Secondary instances from files, also of those that no question uses.
    private func addFiles(to form: inout Form, itemsets: Set<Name>) {
        var files = FormFiles.all(of: form)
        var names = Set(files.map(\.name))
        for instance in model.instances {
            guard let source = instance["src"], source.hasPrefix("jr://file") else { continue }
            let name = Name(XFormTexts.fileName(source))
            guard names.insert(name).inserted else { continue }
            files.append(FormFile(name: name, kind: FormFile.Kind(fileName: name)))
        }
        form.files = files
    }

    // MARK: - Findings

    private mutating func reportRest() {
        for bind in model.strayBinds.prefix(FormExchangeLimits.findings) {
            note(bind, message: "this bind is for no node of the instance, and is not read.")
        }
        for element in controls.unknown.prefix(FormExchangeLimits.findings) {
            findings.add(
                FormFinding(
                    .unsupported, at: .text(line: element.line, column: 1),
                    message: "'\(element.tag.local)' is for no node of the instance, or is no control.",
                    hint: "Give it a ref that the instance has, or remove it."))
        }
        for group in controls.flattened.prefix(FormExchangeLimits.findings) {
            note(group, message: "a group without a node is not read as a group; its questions are.")
        }
        for output in Self.approximated(in: [model.element, body]).prefix(FormExchangeLimits.findings) {
            note(output, message: "a text shows the value of one question, not of an expression: calculate it in one.")
        }
    }

    /// The outputs whose expression is more than a path, in their order.
    private static func approximated(in elements: [MarkupElement]) -> [MarkupElement] {
        var found: [MarkupElement] = []
        var open = elements
        while let element = open.popLast() {
            if element.local == "output", !XFormText.isRead(element) { found.append(element) }
            open += element.children
        }
        return found.sorted { $0.line < $1.line }
    }

    private mutating func note(_ element: MarkupElement, message: String) {
        findings.add(FormFinding(.ignored, at: .text(line: element.line, column: 1), message: message))
    }
}
