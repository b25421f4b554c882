import DocumentValues
import FormLogic

/// Makes the questions, groups and repeats of a form out of the rows of its survey.
struct SurveyReader {
    let options: FormImportOptions
    let languages: SheetLanguages
    private(set) var findings = FormFindings()
    private(set) var tree = NodeTree()
    /// Lists that get a choice `other`.
    private(set) var othersLists: [Name] = []
    private(set) var skipped: [Name] = []
    /// Whether rows were left out: then references to them lead nowhere.
    private(set) var isPartial = false
    private var reportedSize = false

    init(options: FormImportOptions, languages: SheetLanguages) {
        self.options = options
        self.languages = languages
    }

    mutating func read(_ table: SheetTable<SurveyColumn>) {
        for row in table.rows { read(row) }
        while let open = tree.close() {
            findings.add(
                FormFinding(
                    .badStructure, at: open.position,
                    message: "this \(open.ending) '\(open.node.name)' is never closed.",
                    hint: "Write a row 'end \(open.ending)' behind its last question."))
            append(open)
        }
    }

    private mutating func read(_ row: TableRow<SurveyColumn>) {
        if let text = row[.disabled], TruthText.value(of: text) == true {
            return note(row, column: .disabled, message: "this row is disabled, and is not read.")
        }
        guard let type = row[.type] else { return readUntyped(row) }
        let parts = type.split(atByte: " ").joined(separator: " ")
        if let structure = StructureRow(parts) {
            read(structure, row: row)
        } else {
            readQuestion(row, type: parts)
        }
    }

    /// Without type, name and label a row is a remark.
    private mutating func readUntyped(_ row: TableRow<SurveyColumn>) {
        guard row.has(.name) || row.has(.label) else {
            return note(row, column: nil, message: "this row has neither type nor name nor label, and is not read.")
        }
        let problem = TypeProblem(unknown: "")
        let position = row.position(row.has(.name) ? .name : .label)
        findings.add(FormFinding(.unknownType, at: position, message: problem.message, hint: problem.hint))
        // A text in its stead: other questions may refer to it, and its own rules are to be checked, too.
        var node = FormNode(name: row[.name].map { Name($0) } ?? Self.substituteName(of: row), kind: .question(.text))
        var reader = SurveyRowReader(row: row, languages: languages)
        reader.read(into: &node)
        findings.add(contentsOf: reader.findings)
        // What only some types have says nothing of a text.
        node.parameters = []
        node.choiceFilter = nil
        append(node, at: position)
    }

    // MARK: - Groups and repeats

    private mutating func read(_ structure: StructureRow, row: TableRow<SurveyColumn>) {
        switch structure {
        case .begin(let kind, let ending): begin(kind, ending: ending, row: row)
        case .end(let ending): end(ending, row: row)
        case .refusedBegin(let type, let advice):
            reportUnsupported(type, advice: advice, row: row)
            begin(.group, ending: type.droppingExactPrefix("begin_") ?? "loop", row: row)
        }
    }

    private mutating func begin(_ kind: FormNode.Kind, ending: String, row: TableRow<SurveyColumn>) {
        if tree.depth >= FormLimits.depth {
            findings.add(
                FormFinding(
                    .limit, at: row.position(.type),
                    message: "groups and repeats may be \(FormLimits.depth) levels deep."))
        }
        var node = FormNode(name: name(of: row), kind: kind)
        var reader = SurveyRowReader(row: row, languages: languages)
        reader.read(into: &node)
        findings.add(contentsOf: reader.findings)
        if node.required != nil {
            note(row, column: .required, message: "'required' means nothing for a group, and is not used.")
            node.required = nil
        }
        tree.begin(node, at: row.position(.type), ending: ending)
    }

    private mutating func end(_ ending: String, row: TableRow<SurveyColumn>) {
        guard let open = tree.open.last else {
            findings.add(
                FormFinding(
                    .badStructure, at: row.position(.type), message: "no \(ending) is open here.",
                    hint: "Delete the row, or write 'begin \(ending)' in front of the first question."))
            return
        }
        if open.ending != ending {
            findings.add(
                FormFinding(
                    .badStructure, at: row.position(.type),
                    message: "'end \(ending)' closes the \(open.ending) '\(open.node.name)'.",
                    hint: "Write 'end \(open.ending)'."))
        }
        if let closed = tree.close() { append(closed) }
    }

    private mutating func append(_ open: NodeTree.Open) {
        var node = open.node
        if let count = CountQuestion.split(from: &node) { append(count, at: open.position) }
        append(node, at: open.position)
    }

    private mutating func append(_ node: FormNode, at position: SourcePosition) {
        // Depth was reported where the group begins; the nodes of a form are counted here.
        guard !tree.isFull else {
            if !reportedSize {
                findings.add(
                    FormFinding(
                        .limit, at: position, message: "a form has at most \(FormLimits.nodes) questions."))
            }
            (reportedSize, isPartial) = (true, true)
            return
        }
        tree.append(node)
    }

    // MARK: - Questions

    private mutating func readQuestion(_ row: TableRow<SurveyColumn>, type text: String) {
        let type: TypeText
        var isUnsupported = false
        do throws(TypeProblem) { type = try TypeText(parsing: text) } catch {
            let advice = TypeNames.refused[Name(text.split(atByte: " ").first.map(String.init) ?? "")]
            isUnsupported = advice != nil
            if let advice {
                reportUnsupported(text, advice: advice, row: row)
            } else {
                findings.add(
                    FormFinding(.unknownType, at: row.position(.type), message: error.message, hint: error.hint))
            }
            type = TypeText(.plain(isUnsupported ? .hidden : .text))
        }
        let name = questionName(of: row, type: type.type)
        var node = FormNode(name: name, kind: .question(type.type))
        var reader = SurveyRowReader(row: row, languages: languages)
        reader.read(into: &node)
        findings.add(contentsOf: reader.findings)
        if let constraint = type.constraint { node.constraint = node.constraint ?? constraint }
        if node.hasSearch {
            isUnsupported = true
            reportUnsupported(
                "search()", advice: "write the type 'select_one_from_file' with the file's name", row: row,
                column: .appearance)
        }
        if isUnsupported {
            SkippedQuestions.hide(&node)
            if options.skipsUnsupported { skipped.append(name) }
        }
        append(node, at: row.position(.type))
        if type.addsOther { addOther(after: node, row: row) }
    }

    private mutating func addOther(after node: FormNode, row: TableRow<SurveyColumn>) {
        guard node.choiceFilter == nil else {
            findings.add(
                FormFinding(
                    .badChoices, at: row.position(.choiceFilter),
                    message: "'or_other' and a choice_filter exclude each other.",
                    hint: "Write a choice 'other' in the list, and a text question behind it."))
            return
        }
        if case .select(_, from: .list(let list))? = node.type { othersLists.append(list) }
        append(OtherChoice.question(after: node, languages: languages.languages), at: row.position(.type))
    }

    private mutating func questionName(of row: TableRow<SurveyColumn>, type: QuestionType) -> Name {
        switch type {
        case .plain(.audit): "audit"
        case .plain(.note): row[.name].map { Name($0) } ?? Name("generated_note_name_\(row.number)")
        case .plain, .select: name(of: row)
        }
    }

    private mutating func name(of row: TableRow<SurveyColumn>) -> Name {
        if let name = row[.name] { return Name(name) }
        findings.add(
            FormFinding(
                .missingText, at: row.position(.type), message: "'\(row[.type] ?? "")' has no name.",
                hint: "Write one in the column 'name'."))
        return Self.substituteName(of: row)
    }

    /// Of a row whose missing name was reported, so that all else in it and in the other rows is checked as well.
    private static func substituteName(of row: TableRow<SurveyColumn>) -> Name { Name("unnamed_row_\(row.number)") }

    // MARK: - Findings

    private mutating func note(_ row: TableRow<SurveyColumn>, column: SurveyColumn?, message: String) {
        findings.add(FormFinding(.ignored, at: row.position(column), message: message))
    }

    private mutating func reportUnsupported(
        _ construct: String, advice: String, row: TableRow<SurveyColumn>, column: SurveyColumn = .type
    ) {
        let message = "'\(construct)' cannot be asked here"
        if options.skipsUnsupported {
            note(row, column: column, message: "\(message), and is left out or hidden.")
        } else {
            let rest = advice.isEmpty ? "" : "\(advice.prefix(1).uppercased() + advice.dropFirst()), or "
            findings.add(
                FormFinding(
                    .unsupported, at: row.position(column), message: message + ".",
                    hint: "\(rest.isEmpty ? "Import" : rest + "import") with --skip-unsupported to hide it."))
        }
    }
}

extension FormNode {
    /// Choices by a function of Collect that reads them from a file.
    fileprivate var hasSearch: Bool {
        guard case .select? = type else { return false }
        return appearance.contains { $0.hasPrefix("search") && $0.contains(/^search\s*\(/) }
    }
}

/// A row that begins or ends a group or a repeat.
enum StructureRow {
    case begin(FormNode.Kind, ending: String)
    case end(String)
    case refusedBegin(String, advice: String)

    init?(_ type: String) {
        let parts = type.replacing("_", with: " ").split(atByte: " ").map(String.init)
        guard parts.count >= 2 else { return nil }
        let rest = parts.dropFirst().joined(separator: " ")
        switch (parts[0], rest) {
        case ("begin", "group"): self = .begin(.group, ending: "group")
        case ("begin", "repeat"), ("begin", "lgroup"), ("begin", "looped group"):
            self = .begin(.repeat, ending: "repeat")
        case ("end", "group"): self = .end("group")
        case ("end", "repeat"), ("end", "lgroup"), ("end", "looped group"): self = .end("repeat")
        case ("begin", "loop"),
            ("begin", _) where parts[1] == "loop":
            self = .refusedBegin(type, advice: TypeNames.refused["begin loop"] ?? "")
        case ("begin", "kobomatrix"), ("begin", "score"), ("begin", "rank"):
            self = .refusedBegin("begin_\(rest)", advice: TypeNames.refused[Name("begin_\(rest)")] ?? "")
        case ("end", "loop"), ("end", "kobomatrix"), ("end", "score"), ("end", "rank"): self = .end(rest)
        default: return nil
        }
    }
}
