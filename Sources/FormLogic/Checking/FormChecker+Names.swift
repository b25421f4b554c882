import DocumentValues

/// Names of questions, and of the form.
extension FormChecker {
    mutating func checkForm() {
        if form.nodes.isEmpty {
            add(
                .badStructure, at: FormPart(.form, member: "questions"), message: "the form has no questions.",
                hint: "A form has at least one.")
        }
        checkID()
        if !NodeName.isName(form.root.text) {
            add(.badName, at: FormPart(.form, member: "root"), message: Self.badName(form.root))
        }
        if let language = form.defaultLanguage, !form.languages.isEmpty,
            !form.languages.contains(where: { $0.code == language })
        {
            let hint = nearHint(language, among: form.languages.map(\.code))
            add(
                .unknownLanguage, at: FormPart(.form, member: "default_language"),
                message: "the language '\(language.text)' is not declared.", hint: hint)
        }
    }

    private mutating func checkID() {
        let part = FormPart(.form, member: "form")
        guard !form.id.isEmpty else {
            add(.missingText, at: part, message: "the form has no name.", hint: "Write 'form: kitchen_hygiene'.")
            return
        }
        let bytes = form.id.utf8
        let isValid = bytes.enumerated().allSatisfy { index, byte in
            switch Unicode.Scalar(byte) {
            case "A"..."Z", "a"..."z", "_": true
            case "0"..."9", ".", "-": index > 0
            default: false
            }
        }
        if !isValid || bytes.count > CheckLimits.formID {
            // Other programs take any text, and their file is not to be changed for us.
            let remedy = options.isImported ? " Give it another: --name FORM_ID" : ""
            add(
                .badName, at: part, message: "'\(form.id.text)' cannot be the name of a form.",
                hint: "It begins with a letter or '_' and has letters, digits, '_', '.' and '-', "
                    + "\(CheckLimits.formID) at most.\(remedy)")
        }
    }

    private static func badName(_ name: Name) -> String {
        "'\(name.text)' cannot be a name: it begins with a letter or '_' and has letters, digits, '_', '-' and '.'."
    }

    // MARK: - Questions

    mutating func checkNames() {
        for id in nodes { checkSpelling(of: id) }
        for id in [FormOutline.root] + nodes { checkChildren(of: id) }
        checkRepeats()
        checkColumns()
    }

    private mutating func checkSpelling(of id: FormOutline.ID) {
        let name = outline[id].node.name
        if name.isEmpty {
            add(.missingText, at: part(id, member: "name"), message: "a question has no name.")
        } else if !NodeName.isName(name.text) {
            add(.badName, at: part(id, member: "name"), message: Self.badName(name))
        } else if name == "meta", outline[id].parent == FormOutline.root {
            add(
                .repeatedName, at: part(id, member: "name"),
                message: "'meta' is the group of a record's own data, and no name for another.")
        }
    }

    private mutating func checkChildren(of id: FormOutline.ID) {
        var first: [Name: FormOutline.ID] = [:]
        var lowercased: [Name: FormOutline.ID] = [:]
        for child in outline[id].children where nodes.contains(child) && !outline[child].node.name.isEmpty {
            let name = outline[child].node.name
            if let other = first[name] {
                add(
                    .repeatedName, at: part(child, member: "name"),
                    message: "'\(name.text)' is there\(reference(to: part(other, member: "name"))) already; "
                        + "names are unique within a group or repeat.")
                continue
            }
            first[name] = child
            let folded = Name(name.text.lowercased())
            if let other = lowercased[folded] {
                add(
                    .namesDifferInCase, at: part(child, member: "name"),
                    message: "'\(name.text)' and '\(outline[other].node.name.text)' differ only in capitals.")
            }
            lowercased[folded] = child
        }
    }

    private mutating func checkRepeats() {
        var first: [Name: FormOutline.ID] = [:]
        for id in nodes where outline[id].isRepeat && !outline[id].node.name.isEmpty {
            let name = outline[id].node.name
            if let other = first[name], outline[other].parent != outline[id].parent {
                add(
                    .repeatedName, at: part(id, member: "name"),
                    message: "the repeat '\(name.text)' is there\(reference(to: part(other, member: "name"))) already; "
                        + "the name of a repeat is unique in the form.")
            } else if name == form.root {
                add(
                    .repeatedName, at: part(id, member: "name"),
                    message: "the repeat '\(name.text)' has the name of the record's root.")
            }
            first[name] = first[name] ?? id
        }
    }

    // MARK: - Columns of exports

    private static let rootColumns: Set<Name> = [
        "SubmissionDate", "KEY", "SubmitterID", "SubmitterName", "AttachmentsPresent", "AttachmentsExpected", "Status",
        "ReviewState", "DeviceID", "Edits", "FormVersion", "meta-instanceID", "meta-instanceName",
    ]
    private static let repeatColumns: Set<Name> = ["KEY", "PARENT_KEY"]

    /// A table for the record and for each repeat; groups are part of the columns' names.
    private mutating func checkColumns() {
        var columns: [FormOutline.ID: [Name: FormOutline.ID]] = [:]
        for id in nodes where outline[id].type != nil {
            let table = outline[id].enclosingRepeat ?? FormOutline.root
            let path = outline.path(of: id).dropFirst(outline[table].depth + 1)
            let column = Name(path.map(\.text).joined(separator: "-"))
            let own = table == FormOutline.root ? Self.rootColumns : Self.repeatColumns
            if own.contains(column) {
                add(
                    .exportColumn, at: part(id, member: "name"),
                    message: "'\(column.text)' is also a column that every export has.")
            } else if let other = columns[table]?[column], outline[other].parent != outline[id].parent {
                add(
                    .exportColumn, at: part(id, member: "name"),
                    message: "'\(outline.pathText(of: id))' and '\(outline.pathText(of: other))' have the same column "
                        + "'\(column.text)' in exports.")
            }
            columns[table, default: [:]][column] = id
        }
    }
}
