import DocumentValues

/// Checks a form: names, texts, lists, parameters, defaults, expressions and circles among them.
///
/// Everything that can be known from the form is reported at once. A form without an error can be filled: whatever remains
/// makes a report at run time, and no error.
package struct FormChecker {
    let form: Form
    let outline: FormOutline
    /// The author's, without the root and those that are made below `meta`.
    let nodes: Range<FormOutline.ID>
    let positions: SourcePositions
    let options: Options
    /// Of all questions, groups and repeats.
    let names: [Name]
    /// The first list of each name.
    let listIndices: [Name: Int]
    let instances: Set<Name>
    var findings = FormFindings()
    /// The names of the choices of lists, by index, as they were needed.
    private var choiceNames: [Int: Set<Name>] = [:]
    private var choiceColumns: [Int: Set<Name>] = [:]
    /// A question with several answers for each source of choices.
    var severalNames: [QuestionType.ChoiceSource: FormOutline.ID] = [:]
    private var hints = CheckLimits.nearNames

    package struct Options: Sendable {
        /// Whether the form was made for another program, which lets a question without a label pass.
        package var isImported: Bool
        /// The files beside the form; `nil` if it is not known which are there.
        package var files: Set<Name>?

        package init(isImported: Bool = false, files: Set<Name>? = nil) {
            self.isImported = isImported
            self.files = files
        }
    }

    /// All findings about a form that was read: the reader's, and those about the form itself unless parts of it are missing.
    package static func findings(of reading: FormReading, options: Options = Options()) -> FormFindings {
        var findings = reading.findings
        if !reading.isPartial {
            findings.merge(Self.findings(of: reading.form, positions: reading.positions, options: options))
        }
        return findings
    }

    package static func findings(
        of form: Form, positions: SourcePositions = SourcePositions(), options: Options = Options()
    ) -> FormFindings {
        var check = FormChecker(form: form, positions: positions, options: options)
        check.run()
        return check.findings
    }

    private init(form: Form, positions: SourcePositions, options: Options) {
        self.form = form
        self.positions = positions
        self.options = options
        outline = FormOutline(form)
        // `meta` is the last child of the root, unless an author has one, which is refused.
        let isOwn = form.nodes.contains { $0.name == "meta" }
        let meta = isOwn ? nil : outline.child(of: FormOutline.root, named: "meta")
        nodes = 1..<max(1, meta ?? outline.entries.count)
        names = outline.names
        listIndices = Dictionary(form.lists.enumerated().map { ($1.name, $0) }) { first, _ in first }
        instances = FormProgram.instanceNames(of: form, outline: outline)
    }

    private mutating func run() {
        checkSizes()
        checkForm()
        checkNames()
        checkLabels()
        checkTranslations()
        checkLists()
        checkFiles()
        checkAppearances()
        checkEntities()
        checkUnwritten()
        for id in nodes {
            checkParameters(of: id)
            checkDefault(of: id)
            checkFirstInstances(of: id)
            checkTrigger(of: id)
        }
        checkTextReferences()
        checkExpressions()
    }

    /// `nil` for a list that is not there, or whose choices are not in the definition.
    mutating func choices(of list: Name) -> Set<Name>? {
        guard let index = listIndices[list] else { return nil }
        if let names = choiceNames[index] { return names }
        let names = Set(form.lists[index].choices.map(\.name))
        guard !names.isEmpty else { return nil }
        choiceNames[index] = names
        return names
    }

    /// The columns of a list's choices that expressions may name; `nil` as above.
    mutating func columns(ofList list: Name) -> Set<Name>? {
        guard let index = listIndices[list] else { return nil }
        if let names = choiceColumns[index] { return names }
        guard !form.lists[index].choices.isEmpty else { return nil }
        let names = form.lists[index].choices.reduce(into: Set<Name>(["name", "label"])) { names, choice in
            names.formUnion(choice.columns.map(\.name))
        }
        choiceColumns[index] = names
        return names
    }

    // MARK: - Findings

    func part(_ id: FormOutline.ID, member: Name? = nil, language: Name? = nil) -> FormPart {
        id == FormOutline.root
            ? FormPart(.form, member: member, language: language)
            : FormPart(.node(id - 1), member: member, language: language)
    }

    mutating func add(_ code: FindingCode, at part: FormPart, message: String, hint: String? = nil) {
        findings.add(FormFinding(code, at: positions[part], message: message, hint: hint))
    }

    /// `Did you mean 'x'?`, for a limited number of names.
    mutating func nearHint(_ name: Name, among known: some Sequence<Name>) -> String? {
        // Any other letter is near to a single one.
        guard name.utf8.count > 1, mayHint else { return nil }
        countHint()
        // In order, so that of two that are equally near it is always the same one.
        return NearName.hint(name.text, among: known.map(\.text).sorted())
    }

    var mayHint: Bool { hints > 0 }

    mutating func countHint() { hints -= 1 }

    /// `in line 35`, `in row 12`, or nothing where that is not known.
    func reference(to part: FormPart) -> String {
        switch positions[part] {
        case .file: ""
        case .text(let line, _): " in line \(line)"
        case .cell(_, let row, _), .row(_, let row, _): " in row \(row)"
        }
    }
}
