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
        let names = NamedSites(field)
        let groups = RecordGroups(
            empty: "'\(request.text)' is found nowhere.",
            groups: try search.portions(in: field.store).map { try Self.groups(of: $0, names: names) })
        return try ConflictMarks(session: session).marking(session.numbered(groups))
    }

    /// - Parameter found: of one kind.
    private static func groups(of found: [FoundRecord], names: NamedSites) throws -> [RecordGroups.Group] {
        guard let kind = found.first?.kind else { return [] }
        let sites = try names.names(of: found.compactMap(\.site))
        return [
            RecordGroups.Group(
                title: kind.plural.prefix(1).uppercased() + kind.plural.dropFirst(),
                columns: kind == .site ? ["ID", "SITE", "FOUND"] : ["ID", "DATE", "SITE", "FOUND"],
                rows: found.map { row($0, site: $0.site.flatMap { sites[Name($0)] } ?? "") })
        ]
    }

    private static func row(_ found: FoundRecord, site: String) -> Listing.Row {
        let reference = RecordReference(found.kind, id: found.id)
        let date = found.date.map { [$0.description] } ?? []
        return Listing.Row(
            reference: reference, cells: [reference.shortID] + date + [site, found.excerpt],
            object: ["_id": .string(found.id), "kind": .string(found.kind.rawValue), "found": .string(found.excerpt)])
    }
}
