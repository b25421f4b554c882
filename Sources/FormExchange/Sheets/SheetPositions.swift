import DocumentValues
import FormLogic

/// Notes which cell each part of a form comes from.
enum SheetPositions {
    static func of(
        _ form: Form, survey: SheetTable<SurveyColumn>?, choices: ChoicesReader, languages: SheetLanguages
    ) -> SourcePositions {
        var positions = SourcePositions()
        let rows = Dictionary((survey?.rows ?? []).map { ($0.number, $0) }) { first, _ in first }
        var index = 0
        note(form.nodes, index: &index, rows: rows, languages: languages, in: &positions)
        for (list, rows) in choices.rows.enumerated() {
            for (choice, row) in rows.enumerated() {
                note(.choice(list: list, index: choice), row: row, languages: languages, in: &positions)
            }
            if let first = rows.first { positions.note(FormPart(.list(list)), at: first.position(.listName)) }
        }
        return positions
    }

    private static func note(
        _ nodes: [FormNode], index: inout Int, rows: [Int: TableRow<SurveyColumn>], languages: SheetLanguages,
        in positions: inout SourcePositions
    ) {
        for node in nodes {
            if let row = node.sourceRow.flatMap({ rows[$0] }) {
                note(.node(index), row: row, languages: languages, in: &positions)
            }
            index += 1
            note(node.nodes, index: &index, rows: rows, languages: languages, in: &positions)
        }
    }

    private static func note<Column: SheetColumn>(
        _ owner: FormPart.Owner, row: TableRow<Column>, languages: SheetLanguages, in positions: inout SourcePositions
    ) {
        positions.note(FormPart(owner), at: row.position())
        for column in Column.allCases where row.has(column) {
            let member = Name(column.rawValue)
            positions.note(FormPart(owner, member: member), at: row.position(column))
            for cell in row.translations(column) {
                guard case .column(_, let language) = cell.column.use, let code = languages.code(language) else {
                    continue
                }
                positions.note(FormPart(owner, member: member, language: code), at: row.position(cell))
            }
        }
    }
}
