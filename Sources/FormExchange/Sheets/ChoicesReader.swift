import DocumentValues
import FormLogic

/// Makes lists of choices out of the rows of the sheets `choices` and `external_choices`.
struct ChoicesReader {
    let languages: SheetLanguages
    private(set) var findings = FormFindings()
    /// Of the lists, by their indices. A list itself would be copied for each choice that is added to it.
    private var names: [Name] = []
    private var choices: [[Choice]] = []
    /// The rows of the choices of each list.
    private(set) var rows: [[TableRow<ChoicesColumn>]] = []
    private var indices: [Name: Int] = [:]
    /// Lists of `external_choices`, by the names that they have there.
    private(set) var renamed: [Name: Name] = [:]
    /// Headers that cannot be names of columns, and so are left out.
    private var dropped: Set<Name> = []

    init(languages: SheetLanguages) { self.languages = languages }

    var lists: [ChoiceList] { zip(names, choices).map { ChoiceList(name: $0, choices: $1) } }

    /// - Parameter isExternal: a list whose name a list of `choices` has, too, gets another name.
    mutating func read(_ table: SheetTable<ChoicesColumn>, isExternal: Bool = false) {
        reportHeaders(of: table)
        if isExternal {
            for name in Set(table.rows.compactMap { $0[.listName].map { Name($0) } }) where indices[name] != nil {
                renamed[name] = Name(name.text + "_external")
            }
        }
        for row in table.rows { read(row, isExternal: isExternal) }
    }

    /// X drops such a column, since expressions could not name it.
    private mutating func reportHeaders(of table: SheetTable<ChoicesColumn>) {
        for column in table.columns {
            guard case .data = column.use, column.header.unicodeScalars.contains(where: { $0.properties.isWhitespace })
            else { continue }
            guard dropped.insert(Name(column.header)).inserted else { continue }
            findings.add(
                FormFinding(
                    .ignored, at: table.origin.position(row: 1, column: column.position, header: column.header),
                    message: "the column '\(column.header)' has a space in its header, and is not read.",
                    hint: "Write an underscore."))
        }
    }

    private mutating func read(_ row: TableRow<ChoicesColumn>, isExternal: Bool) {
        guard let list = row[.listName] else {
            if row.has(.name) || row.has(.label) {
                findings.add(
                    FormFinding(
                        .missingText, at: row.position(row.has(.name) ? .name : .label),
                        message: "this choice has no list.", hint: "Write its name in the column 'list_name'."))
            }
            return
        }
        guard let name = row[.name] else {
            findings.add(
                FormFinding(
                    .missingText, at: row.position(.listName), message: "this choice of '\(list)' has no name.",
                    hint: "Write one in the column 'name'."))
            return
        }
        let index = index(of: isExternal ? renamed[Name(list)] ?? Name(list) : Name(list))
        choices[index].append(choice(Name(name), row: row))
        rows[index].append(row)
    }

    private mutating func index(of name: Name) -> Int {
        if let index = indices[name] { return index }
        indices[name] = names.count
        names.append(name)
        choices.append([])
        rows.append([])
        return names.count - 1
    }

    private func choice(_ name: Name, row: TableRow<ChoicesColumn>) -> Choice {
        var choice = Choice(name: name, label: row.text(.label, languages: languages), sourceRow: row.number)
        choice.media[.image] = row.text(.image, languages: languages)
        choice.media[.bigImage] = row.text(.bigImage, languages: languages)
        choice.media[.audio] = row.text(.audio, languages: languages)
        choice.media[.video] = row.text(.video, languages: languages)
        for cell in row.others where !dropped.contains(Name(cell.column.header)) {
            choice.columns.append(NamedText(name: Name(cell.column.header), text: cell.text))
        }
        return choice
    }

    /// Adds the choice `other` to lists whose questions ask for it.
    mutating func addOther(to names: [Name]) {
        for name in names {
            guard let index = indices[name] else { continue }
            var list = ChoiceList(name: name, choices: choices[index])
            OtherChoice.add(to: &list, languages: languages.languages)
            choices[index] = list.choices
        }
    }
}
