import DocumentValues
import FieldModels
import FieldRecords

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

/// Reads the shown parts of a list's records, the newest first.
struct ListingBuilder {
    private let field: FieldDatabase
    private let filter: ListFilter

    init(_ field: FieldDatabase, filter: ListFilter) {
        self.field = field
        self.filter = filter
    }

    func sites() throws -> Listing {
        let list = try field.sites.listed(as: ListedSite.self) { site in
            filter.accepts(site, site: site.id, owner: nil, status: nil)
        }
        let terms = filter.request.terms.flatMap { $0.searchable.split(separator: " ") }
        let sites = list.records.filter { filter.accepts($0) && $0.matches(terms) }
            .sortedNaturally { [$0.name, $0.id] }
        let last = sites.isEmpty ? [:] : try field.listing.lastInspections()
        return listing(
            list, columns: ["ID", "SITE", "ADDRESS", "DISTRICT", "LAST VISIT"], rows: sites
        ) { site in
            [
                RecordReference.short(site.id, kind: .site), site.name, site.address, site.district ?? "",
                last[Name(site.id)] ?? "never",
            ]
        }
    }

    func inspections() throws -> Listing {
        let list = try field.inspections.listed(
            as: ListedInspection.self, where: filter.records(in: districts()), order: .newestFirst
        ) {
            filter.accepts($0, site: $0.site, owner: $0.inspector, status: $0.status.rawValue, day: $0.date)
        }
        let names = try SiteNames(field)
        let counts = list.records.isEmpty ? [:] : try field.listing.findingCounts()
        let inspections = list.isSorted ? list.records : list.records.sorted { Self.isNewer($0, than: $1) { $0.date } }
        return listing(
            list, columns: ["ID", "DATE", "SITE", "VISIT", "STATUS", "SCORE", "FINDINGS"], rows: inspections
        ) { inspection in
            [
                RecordReference.short(inspection.id, kind: .inspection), inspection.date,
                names[inspection.site], inspection.visit ?? "", inspection.status,
                inspection.score.map(String.init) ?? "", counts[Name(inspection.id)].map(String.init) ?? "",
            ]
        }
    }

    func findings() throws -> Listing {
        let list = try field.findings.listed(
            as: ListedFinding.self, where: filter.records(in: districts()), order: .newestFirst
        ) {
            filter.accepts($0, site: $0.site, owner: $0.envelope.createdBy, status: nil, day: $0.date)
        }
        let names = try SiteNames(field)
        let inspections = try field.listing.inspectionIDs()
        let findings = list.isSorted ? list.records : list.records.sorted { Self.isNewer($0, than: $1) { $0.date } }
        return listing(
            list, columns: ["ID", "DATE", "SITE", "RISK", "FINDING", "FIXED"], rows: findings
        ) { finding in
            // The inspection may be deleted without the knowledge of the users who see the finding.
            let isAlone = finding.inspection.map { !inspections.contains(Name($0)) } ?? false
            return [
                RecordReference.short(finding.id, kind: .finding), finding.date, names[finding.site],
                finding.risk ?? "", (isAlone ? "(inspection not here) " : "") + finding.text, finding.corrected ?? "",
            ]
        }
    }

    func forms() throws -> Listing {
        let list = try field.forms.all()
        return listing(list, columns: ["ID", "FORM", "VERSION", "QUESTIONS"], records: list.records) { form in
            [RecordReference.short(form.id, kind: .form), form.name, String(form.version), String(form.fields.count)]
        }
    }

    /// - Parameter today: assignments due on this day or before it are marked.
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

    /// Those that are meant by the one that was asked for; `nil` for all.
    private func districts() throws -> [String]? {
        try filter.request.district.map { district in
            try field.districts.all().filter { ChoiceMatch.means(district, choice: $0) }
        }
    }

    private static func isNewer<Listed: ListedRecord>(
        _ left: Listed, than right: Listed, date: (Listed) -> String
    ) -> Bool {
        (Name(date(right)), Name(right.id)) < (Name(date(left)), Name(left.id))
    }

    /// Whole records are read only if the user wants all of them.
    private func listing<Listed: ListedRecord>(
        _ list: ListedRecords<Listed>, columns: [String], rows: [Listed], cells: (Listed) -> [String]
    ) -> Listing {
        let kind = Listed.Record.kind
        return Listing(
            kind: kind, columns: columns,
            rows: rows.map { Listing.Row(reference: RecordReference(kind, id: $0.id), cells: cells($0), object: nil) },
            unreadable: list.unreadable)
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

extension ListFilter {
    /// The same by the values of records.
    ///
    /// - Parameter districts: `nil` for all.
    fileprivate func records(in districts: [String]?) -> RecordFilter {
        var filter = RecordFilter()
        (filter.site, filter.status, filter.districts) = (site, request.status, districts)
        (filter.since, filter.until) = (since, until)
        if request.mineOnly { filter.owner = user.map { .named($0) } ?? .nobody }
        return filter
    }

    fileprivate func accepts(_ site: ListedSite) -> Bool {
        if let district = request.district {
            guard let code = site.district, ChoiceMatch.means(district, choice: code) else { return false }
        }
        if let wanted = self.site, !site.id.isExactly(wanted) { return false }
        return request.status == nil && !(request.mineOnly && user != nil)
    }
}
