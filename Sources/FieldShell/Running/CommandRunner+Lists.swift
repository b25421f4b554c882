import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Lists and details.
extension CommandRunner {
    func list(_ request: ListRequest) throws -> Listing {
        let field = try session.field()
        let site = try request.site.map { try RecordFinder(session: session).find($0, among: [.site]).id }
        let days = try (day(request.since), day(request.until))
        let checked = try checkingDistrict(request)
        if days.0 != nil || days.1 != nil, request.kind == .site || request.kind == .form {
            throw UsageError("A \(request.kind.rawValue) has no day.")
        }
        let filter = try ListFilter(
            request: checked, site: site, user: session.author().name, since: days.0, until: days.1)
        let listing: Listing
        switch request.kind {
        case .site: listing = try ListingBuilder(field, filter: filter).sites()
        case .inspection: listing = try ListingBuilder(field, filter: filter).inspections()
        case .finding: listing = try ListingBuilder(field, filter: filter).findings()
        case .form: listing = try ListingBuilder(field, filter: filter).forms()
        case .assignment:
            listing = try ListingBuilder(field, filter: filter).assignments(on: session.environment.today())
        }
        session.number(LastList(listing.rows.map(\.reference)))
        return try session.markingConflicts(in: listing)
    }

    /// A district that no record has would find nothing, and look as if there were nothing.
    private func checkingDistrict(_ request: ListRequest) throws -> ListRequest {
        guard let code = request.district else { return request }
        let known = try session.field().districts()
        guard !known.isEmpty else { return request }
        var request = request
        let some = known.prefix(ShellLimits.districts).joined(separator: ", ")
        request.district = try CommandParser.choose(
            code, among: known, what: "district",
            hint: "There are: \(some)\(known.count > ShellLimits.districts ? ", …" : "").")
        return request
    }

    /// A day as somebody types it.
    private func day(_ text: String?) throws -> CalendarDay? {
        guard let text else { return nil }
        guard let day = AnswerReader.day(text, today: session.environment.today()) else {
            throw UsageError(
                "'\(text)' is no day.", hint: "A day is 2026-03-04, today, yesterday, or -7 for a week ago.")
        }
        return day
    }

    func find(_ request: FindRequest) throws -> RecordGroups {
        let field = try session.field()
        let search = RecordSearch(request.text, since: try day(request.since), until: try day(request.until))
        let found = try search.run(in: field)
        let names = try SiteNames(field)
        var groups = RecordGroups(empty: "'\(request.text)' is found nowhere.")
        for kind in RecordKind.allCases {
            let rows = found.filter { $0.kind == kind }.map { row($0, names: names) }
            let columns = kind == .site ? ["ID", "SITE", "FOUND"] : ["ID", "DATE", "SITE", "FOUND"]
            groups.add(kind.plural.prefix(1).uppercased() + kind.plural.dropFirst(), columns: columns, rows: rows)
        }
        session.number(LastList(groups.references))
        return try session.markingConflicts(in: groups)
    }

    private func row(_ found: FoundRecord, names: SiteNames) -> Listing.Row {
        let reference = RecordReference(found.kind, id: found.id)
        let date = found.date.map { [$0.description] } ?? []
        return Listing.Row(
            reference: reference,
            cells: [reference.shortID] + date + [names[found.site ?? ""], found.excerpt],
            object: ["_id": .string(found.id), "kind": .string(found.kind.rawValue), "found": .string(found.excerpt)])
    }

    func show(_ text: String) throws -> Detail {
        let reference: RecordReference
        do {
            reference = try RecordFinder(session: session).find(text, among: RecordKind.allCases)
        } catch  where error is NotFoundError || DeletedFinder.isNumber(text) {
            guard let deleted = try DeletedFinder(session: session).find(text) else { throw error }
            return try show(deleted)
        }
        do {
            session.seen[reference] = try RecordSnapshot(of: reference, in: session.field())
            if reference.kind == .inspection || reference.kind == .finding {
                session.shownPhotos[reference] = try session.field().photos(of: reference.kind, reference.id)
            }
            var detail = try DetailBuilder(session.field(), clock: session.environment.clock).detail(of: reference)
            if let conflict = try session.field().conflict(of: reference.kind, reference.id) {
                session.keepPhotoNumbers(of: conflict, counting: true)
                session.shownConflicts[reference] = conflict.fields
                detail.sections += try ConflictText.showSections(of: conflict, session: session)
            }
            if reference.kind == .inspection { detail.sections += try toDecideInFindings(of: reference.id) }
            return detail
        } catch let error as RecordError {
            throw UnreadableRecord(error)
        }
    }

    /// A reviewer would read one of two texts otherwise.
    private func toDecideInFindings(of inspection: String) throws -> [Detail.Section] {
        let open = try session.conflicts().filter { conflict in
            conflict.kind == .finding && conflict.object["inspection"]?.stringValue?.isExactly(inspection) == true
        }
        let lines = try open.map { conflict in
            let short = RecordReference.short(conflict.id, kind: .finding)
            let subjects = try ConflictText(conflict, session: session, readsLog: false).subjects
            return "\(short): \(subjects). See it: conflicts show \(short)"
        }
        return lines.isEmpty ? [] : [Detail.Section(title: "To decide in its findings", lines: lines)]
    }
}
