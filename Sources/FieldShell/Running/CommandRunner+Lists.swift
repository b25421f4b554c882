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

/// Which records a list is to show.
struct ListFilter {
    let request: ListRequest
    let site: String?
    let user: String?
    let since: CalendarDay?
    let until: CalendarDay?

    func accepts(
        _ record: some FieldRecord, site: String?, owner: String?, status: String?, day: CalendarDay? = nil
    ) -> Bool {
        if let since, let day, day < since { return false }
        if let until, let day, until < day { return false }
        if let district = request.district {
            guard let code = record.district?.code, ChoiceMatch.means(district, choice: code) else { return false }
        }
        if let wanted = self.site, site?.isExactly(wanted) != true { return false }
        if let wanted = request.status, wanted != status { return false }
        if request.mineOnly, owner.map({ Name($0) }) != user.map({ Name($0) }) { return false }
        return true
    }
}

/// Reads the records of a list, the newest first.
struct ListingBuilder {
    private let field: FieldDatabase
    private let filter: ListFilter

    init(_ field: FieldDatabase, filter: ListFilter) {
        self.field = field
        self.filter = filter
    }

    func sites() throws -> Listing {
        let list = try field.sites.all()
        let terms = filter.request.terms.flatMap { $0.searchable.split(separator: " ") }
        let last = try lastInspections()
        let sites = list.records
            .filter { filter.accepts($0, site: $0.id, owner: nil, status: nil) && $0.matches(terms) }
            .sortedNaturally { [$0.name, $0.id] }
        return listing(list, columns: ["ID", "SITE", "ADDRESS", "DISTRICT", "LAST VISIT"], records: sites) { site in
            [
                RecordReference.short(site.id, kind: .site), site.name, site.address.line, site.district?.code ?? "",
                last[Name(site.id)]?.description ?? "never",
            ]
        }
    }

    func inspections() throws -> Listing {
        let list = try field.inspections.all()
        let names = try SiteNames(field)
        let counts = Dictionary(
            try field.findings.all().records.compactMap { $0.inspection.map { (Name($0), 1) } }, uniquingKeysWith: +)
        let inspections = list.records
            .filter { filter.accepts($0, site: $0.site, owner: $0.inspector, status: $0.status.rawValue, day: $0.date) }
            .sorted { ($1.date, Name($1.id)) < ($0.date, Name($0.id)) }
        return listing(
            list, columns: ["ID", "DATE", "SITE", "VISIT", "STATUS", "SCORE", "FINDINGS"], records: inspections
        ) {
            inspection in
            [
                RecordReference.short(inspection.id, kind: .inspection), inspection.date.description,
                names[inspection.site], inspection.visitLabel ?? "", inspection.status.rawValue,
                inspection.score.map(String.init) ?? "", counts[Name(inspection.id)].map(String.init) ?? "",
            ]
        }
    }

    func findings() throws -> Listing {
        let list = try field.findings.all()
        let names = try SiteNames(field)
        let inspections = Set(try field.collection(of: .inspection).documentIDs().map { Name($0) })
        let findings = list.records
            .filter { filter.accepts($0, site: $0.site, owner: $0.envelope.createdBy, status: nil, day: $0.date) }
            .sorted { ($1.date, Name($1.id)) < ($0.date, Name($0.id)) }
        return listing(list, columns: ["ID", "DATE", "SITE", "RISK", "FINDING", "FIXED"], records: findings) {
            finding in
            // It may be deleted, and nobody sees the finding who knows that.
            let isAlone = finding.inspection.map { !inspections.contains(Name($0)) } ?? false
            return [
                RecordReference.short(finding.id, kind: .finding), finding.date.description,
                names[finding.site], finding.risk?.rawValue ?? "",
                (isAlone ? "(inspection not here) " : "") + finding.text, finding.corrected?.description ?? "",
            ]
        }
    }

    func forms() throws -> Listing {
        let list = try field.forms.all()
        return listing(list, columns: ["ID", "FORM", "VERSION", "QUESTIONS"], records: list.records) { form in
            [RecordReference.short(form.id, kind: .form), form.name, String(form.version), String(form.fields.count)]
        }
    }

    /// - Parameter today: what is due then or was before is marked.
    func assignments(on today: CalendarDay) throws -> Listing {
        let list = try field.assignments.all()
        let names = try SiteNames(field)
        let forms = try FormNames(field)
        let assignments = list.records
            .filter { filter.accepts($0, site: $0.site, owner: $0.inspector, status: $0.status.rawValue, day: $0.due) }
            .sorted { ($0.due, Name($0.id)) < ($1.due, Name($1.id)) }
        return listing(list, columns: ["ID", "DUE", "WHO", "SITE", "STATUS", "WHAT"], records: assignments) {
            assignment in
            [
                RecordReference.short(assignment.id, kind: .assignment),
                assignment.due.description + (assignment.urgency(on: today).map { ", \($0)" } ?? ""),
                assignment.inspector,
                names[assignment.site],
                assignment.status.rawValue, forms.what(assignment) ?? "",
            ]
        }
    }

    private func lastInspections() throws -> [Name: CalendarDay] {
        Dictionary(try field.inspections.all().records.map { (Name($0.site), $0.date) }, uniquingKeysWith: max)
    }

    private func listing<Record: FieldRecord>(
        _ list: RecordList<Record>, columns: [String], records: [Record], cells: (Record) -> [String]
    ) -> Listing {
        Listing(
            kind: Record.kind, columns: columns,
            rows: records.map { record in
                Listing.Row(
                    reference: RecordReference(Record.kind, id: record.id), cells: cells(record),
                    object: record.identifiedObject)
            }, unreadable: list.unreadable)
    }
}
