import DocumentValues

/// Lists of choices, files, and the selects that use them.
extension FormChecker {
    mutating func checkSizes() {
        if nodeCountOfForm > FormLimits.nodes {
            add(
                .limit, at: FormPart(.form, member: "questions"),
                message: "a form has at most \(FormLimits.nodes) questions, groups and repeats; "
                    + "this one has \(nodeCountOfForm).")
        }
        if let deep = nodes.first(where: { outline[$0].node.type == nil && outline[$0].depth > FormLimits.depth }) {
            add(.limit, at: part(deep), message: "groups and repeats are at most \(FormLimits.depth) levels deep.")
        }
        if form.languages.count > FormLimits.languages {
            add(
                .limit, at: FormPart(.language(FormLimits.languages)),
                message: "a form has at most \(FormLimits.languages) languages.")
        }
        let choices = form.lists.reduce(0) { $0 + $1.choices.count }
        if choices > FormLimits.choices {
            add(
                .limit, at: FormPart(.form, member: "lists"),
                message: "the lists of a form have at most \(FormLimits.choices) choices; these have \(choices).",
                hint: "Move long lists into CSV files, and ask with select_one_from_file.")
        }
    }

    private var nodeCountOfForm: Int { nodes.count }

    mutating func checkLists() {
        let filtered = filteredLists
        for (index, list) in form.lists.enumerated() {
            let mayRepeat = form.settings.allowChoiceDuplicates || filtered.contains(list.name)
            checkChoices(of: list, index: index, mayRepeat: mayRepeat)
        }
        for id in nodes {
            guard case .select(let kind, let source)? = outline[id].type else { continue }
            switch source {
            case .list(let name), .external(let name):
                guard listIndices[name] != nil else {
                    addUnknownList(name, of: id)
                    continue
                }
                if case .external = source, outline[id].node.choiceFilter == nil {
                    add(
                        .badChoices, at: part(id),
                        message: "'\(outline[id].node.name.text)' is a select_one_external and needs a choice_filter.")
                }
            case .answers(let name): checkAnswers(name, of: id)
            case .file: break
            }
            if kind != .one { severalNames[source] = severalNames[source] ?? id }
        }
        for (index, list) in form.lists.enumerated() { checkSpaces(in: list, index: index) }
    }

    private mutating func addUnknownList(_ name: Name, of id: FormOutline.ID) {
        let hint = nearHint(name, among: listIndices.keys)
        add(
            .unknownList, at: part(id, member: "type"),
            message: "'\(outline[id].node.name.text)': no list is called '\(name.text)'.", hint: hint)
    }

    /// Lists that only a select_one_external asks for, which always has a filter: the county 'king' may be in two states.
    private var filteredLists: Set<Name> {
        var (external, others): (Set<Name>, Set<Name>) = ([], [])
        for id in nodes {
            guard case .select(_, let source)? = outline[id].type else { continue }
            switch source {
            case .external(let name): external.insert(name)
            case .list(let name): others.insert(name)
            case .answers, .file: continue
            }
        }
        return external.subtracting(others)
    }

    /// - Parameter mayRepeat: whether several choices may have one name.
    private mutating func checkChoices(of list: ChoiceList, index: Int, mayRepeat: Bool) {
        var first: [Name: Int] = [:]
        for (position, choice) in list.choices.enumerated() {
            let part = FormPart(.choice(list: index, index: position))
            if choice.name.isEmpty {
                add(.missingText, at: part, message: "a choice of the list '\(list.name.text)' has no name.")
            } else if let other = first[choice.name], !mayRepeat {
                let line = reference(to: FormPart(.choice(list: index, index: other)))
                add(
                    .repeatedChoice, at: part,
                    message: "'\(choice.name.text)' is in the list '\(list.name.text)' twice, the first time\(line).",
                    hint: "Set allow_choice_duplicates if that is meant.")
            }
            first[choice.name] = first[choice.name] ?? position
        }
    }

    /// White space divides the answers of a select_multiple, and hides a choice of a select_one from `selected`.
    private mutating func checkSpaces(in list: ChoiceList, index: Int) {
        let several = severalNames[.list(list.name)]
        for (position, choice) in list.choices.enumerated() where choice.name.text.spacedParts.count > 1 {
            let part = FormPart(.choice(list: index, index: position))
            if let several {
                add(
                    .badChoiceName, at: part,
                    message: "'\(choice.name.text)' has a space, which divides the answers of "
                        + "'\(outline[several].node.name.text)'.", hint: "Write '_' instead.")
            } else {
                add(
                    .spaceInChoice, at: part,
                    message: "'\(choice.name.text)' has a space: selected() does not find it.")
            }
        }
    }

    /// The question whose answers are the choices has to be directly in a repeat.
    private mutating func checkAnswers(_ name: Name, of id: FormOutline.ID) {
        let owner = "'\(outline[id].node.name.text)'"
        guard checkReference(to: name, owner: owner, at: part(id, member: "type")),
            let question = outline.nodes(named: name).first
        else { return }
        guard let parent = outline[question].parent, outline[parent].isRepeat else {
            add(
                .badChoices, at: part(id, member: "type"),
                message: "\(owner): the answers to '\(name.text)' can only be choices if it is directly in a repeat.")
            return
        }
    }

    // MARK: - Files

    mutating func checkFiles() {
        let known = Set(form.files.map(\.name))
        for id in nodes {
            switch outline[id].type {
            case .select(_, .file(let name))?:
                checkEnding(of: name, id: id)
                if !known.contains(name) { addMissing(name, known: known, at: part(id, member: "type")) }
            case .plain(.csvExternal)?: checkDeclared(id, ending: ".csv", known: known)
            case .plain(.xmlExternal)?: checkDeclared(id, ending: ".xml", known: known)
            case .select?, .plain?, nil: break
            }
        }
        guard let files = options.files else { return }
        for (index, file) in form.files.enumerated() where file.blob == nil && !files.contains(file.name) {
            let hint = nearHint(file.name, among: files)
            add(
                .missingFile, at: FormPart(.file(index)), message: "the file '\(file.name.text)' is not there.",
                hint: hint ?? "Put it beside the form.")
        }
    }

    private mutating func checkDeclared(_ id: FormOutline.ID, ending: String, known: Set<Name>) {
        let name = Name(outline[id].node.name.text + ending)
        if !known.contains(name) { addMissing(name, known: known, at: part(id)) }
    }

    private mutating func addMissing(_ name: Name, known: Set<Name>, at part: FormPart) {
        let hint = nearHint(name, among: known)
        add(
            .missingFile, at: part, message: "the file '\(name.text)' is not one of the form.",
            hint: hint ?? "Add it to the files of the form.")
    }

    private mutating func checkEnding(of name: Name, id: FormOutline.ID) {
        switch FormFile.Kind(fileName: name) {
        case .csv, .xml, .geojson: break
        case .media:
            add(
                .missingFile, at: part(id, member: "type"),
                message: "'\(outline[id].node.name.text)': choices come from a file that ends in "
                    + "'.csv', '.xml' or '.geojson', not from '\(name.text)'.")
        }
    }
}
