import DocumentValues
import FormLogic

/// Reads the entities that a form makes or changes.
struct EntitiesReader {
    private(set) var findings = FormFindings()
    private(set) var entities: [FormEntity] = []

    mutating func read(_ table: SheetTable<EntitiesColumn>) {
        for column in table.columns {
            guard case .unknown = column.use else { continue }
            findings.add(
                FormFinding(
                    .badColumn, at: table.origin.position(row: 1, column: column.position, header: column.header),
                    message: "entities have no column '\(column.header)'.",
                    hint: NearName.hint(column.header, among: EntitiesColumn.allCases.map(\.rawValue))))
        }
        for row in table.rows { read(row) }
    }

    private mutating func read(_ row: TableRow<EntitiesColumn>) {
        guard let list = row[.listName] else {
            findings.add(
                FormFinding(
                    .missingText, at: row.position(), message: "this entity has no list.",
                    hint: "Write its name in the column 'list_name'."))
            return
        }
        var entity = FormEntity(listName: Name(list), label: row[.label])
        entity.entityID = row[.entityID]
        entity.createIf = row[.createIf].map { TruthText.expression($0) }
        entity.updateIf = row[.updateIf].map { TruthText.expression($0) }
        entity.repeat = row[.repeat].map { text in
            Name(TriggerText.parse(text)?.first?.text ?? text)
        }
        entity.sourceRow = row.number
        entities.append(entity)
    }
}
