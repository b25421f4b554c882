import DocumentValues
import FieldModels
import FieldRecords

/// Looks for a text in all records.
struct FindCommand {
    let session: ShellSession

    func run(_ request: FindRequest) throws -> RecordGroups {
        let field = try session.field()
        let days = TypedDays(session: session)
        let search = RecordSearch(
            request.text, since: try days.day(request.since), until: try days.day(request.until))
        let found = try search.run(in: field.store)
        let names = try SiteNames(field)
        var groups = RecordGroups(empty: "'\(request.text)' is found nowhere.")
        for kind in RecordKind.allCases {
            let rows = found.filter { $0.kind == kind }.map { row($0, names: names) }
            let columns = kind == .site ? ["ID", "SITE", "FOUND"] : ["ID", "DATE", "SITE", "FOUND"]
            groups.add(kind.plural.prefix(1).uppercased() + kind.plural.dropFirst(), columns: columns, rows: rows)
        }
        session.number(LastList(groups.references))
        return try ConflictMarks(session: session).marking(groups)
    }

    private func row(_ found: FoundRecord, names: SiteNames) -> Listing.Row {
        let reference = RecordReference(found.kind, id: found.id)
        let date = found.date.map { [$0.description] } ?? []
        return Listing.Row(
            reference: reference,
            cells: [reference.shortID] + date + [names[found.site ?? ""], found.excerpt],
            object: ["_id": .string(found.id), "kind": .string(found.kind.rawValue), "found": .string(found.excerpt)])
    }
}
