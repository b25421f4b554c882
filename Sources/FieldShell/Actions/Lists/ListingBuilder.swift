import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Which records a list is to show.
struct ListFilter {
    let request: ListRequest
    /// The codes that there are, if the user asks for one.
    let districts: [String]
    let site: String?
    /// Its id.
    let form: String?
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

/// Reads the shown parts of a list's records, the newest first, as the list is shown.
struct ListingBuilder {
    let field: FieldDatabase
    let filter: ListFilter

    init(_ field: FieldDatabase, filter: ListFilter) {
        self.field = field
        self.filter = filter
    }

    func sites() throws -> Listing {
        let list = try filter.takesAllSites ? field.sites.byName() : chosenSites()
        let last = try field.listing.lastInspections()
        let rows = try list.sites.map { sites in
            let days = try last.days(ofSites: sites.map(\.id))
            return sites.map { Self.row($0, last: days[Name($0.id)]) }
        }
        return Listing(
            kind: .site, columns: ["ID", "SITE", "ADDRESS", "DISTRICT", "LAST VISIT"], rows: rows,
            unreadable: list.unreadable)
    }

    /// Only sites that may have the terms are read.
    private func chosenSites() throws -> SitesByName {
        let terms = filter.request.terms.flatMap { $0.searchable.split(separator: " ") }
        let list = try field.sites.listed(mayHave: terms) { site in
            filter.accepts(site, site: site.id, owner: nil, status: nil)
        }
        return SitesByName(
            list.records.filter { filter.accepts($0) && $0.matches(terms) }, unreadable: list.unreadable)
    }

    func inspections() throws -> Listing {
        let list = try inspectionsInOrder()
        let (sites, findings) = (NamedSites(field), try field.listing.findingCounts())
        let rows = try list.records.map { inspections in
            let names = try sites.names(of: inspections.map(\.site))
            let counts = try findings.counts(ofInspections: inspections.map(\.id))
            return inspections.map { Self.row($0, site: names[Name($0.site)], findings: counts[Name($0.id)]) }
        }
        return Listing(
            kind: .inspection, columns: ["ID", "DATE", "SITE", "VISIT", "STATUS", "SCORE", "FINDINGS"], rows: rows,
            unreadable: list.unreadable)
    }

    private func inspectionsInOrder() throws -> RecordsByDay<ListedInspection> {
        let isShown = { (inspection: Inspection) in
            guard filter.form == nil || inspection.form.isExactly(filter.form),
                filter.request.score?.contains(inspection.score) ?? true
            else { return false }
            return filter.accepts(
                inspection, site: inspection.site, owner: inspection.inspector, status: inspection.status.rawValue,
                day: inspection.date)
        }
        let wanted = filter.records(in: districts)
        guard let sort = filter.request.sort else {
            return try field.inspections.byDay(as: ListedInspection.self, where: wanted, isShown: isShown)
        }
        let names = sort.column == .site ? try field.listing.siteNames() : [:]
        return try field.inspections.ordered(as: ListedInspection.self, where: wanted, isShown: isShown) {
            left, right in
            let (first, second) = sort.isReversed ? (right, left) : (left, right)
            return switch sort.column {
            case .date: first.date.isExactlyBefore(second.date)
            case .score: (first.score ?? -1) < (second.score ?? -1)
            case .site: (names[Name(first.site)] ?? "").isExactlyBefore(names[Name(second.site)] ?? "")
            case .status, .form, .name: first.status.isExactlyBefore(second.status)
            }
        }
    }

    func findings() throws -> Listing {
        let list = try field.findings.byDay(as: ListedFinding.self, where: filter.records(in: districts)) {
            filter.accepts($0, site: $0.site, owner: $0.envelope.createdBy, status: nil, day: $0.date)
        }
        let sites = NamedSites(field)
        let rows = try list.records.map { [field] findings in
            let names = try sites.names(of: findings.map(\.site))
            let wanted = Set(findings.compactMap { $0.inspection.map { Name($0) } })
            let inspections = try field.listing.presentInspections(among: wanted.map(\.text))
            return findings.map { finding in
                // The inspection may be deleted without the knowledge of the users who see the finding.
                let isAlone = finding.inspection.map { !inspections.contains(Name($0)) } ?? false
                return Self.row(finding, site: names[Name(finding.site)], isAlone: isAlone)
            }
        }
        return Listing(
            kind: .finding, columns: ["ID", "DATE", "SITE", "RISK", "FINDING", "FIXED"], rows: rows,
            unreadable: list.unreadable)
    }

    func forms() throws -> Listing {
        let list = try field.forms.all()
        let older = try Portions(list.records[...], by: ShellLimits.rowsAtOnce).map { $0.map { Self.row($0) } }
        let later = try FormLibrary(in: field).laterSummaries()
        let documents = try later.map { try field.formDocuments.findReadable($0.reference.form.text) }
        let others = zip(later, documents).compactMap { summary, document in
            document.map { Self.row(summary, of: $0) }
        }
        let rows = try Portions(chaining: [{ @Sendable in older }, { @Sendable in Portions(others) }])
        return Listing(
            kind: .form, columns: ["ID", "FORM", "VERSION", "QUESTIONS"], rows: rows, unreadable: list.unreadable)
    }

    /// - Parameter today: assignments due on this day or before it are marked.
    func assignments(on today: CalendarDay) throws -> Listing {
        let list = try field.assignments.all()
        let sites = NamedSites(field)
        let forms = try FormNames(field)
        let assignments = list.records
            .filter { filter.accepts($0, site: $0.site, owner: $0.inspector, status: $0.status.rawValue, day: $0.due) }
            .sorted { ($0.due, Name($0.id)) < ($1.due, Name($1.id)) }
        let rows = try Portions(assignments[...], by: ShellLimits.rowsAtOnce).map { assignments in
            let names = try sites.names(of: assignments.map(\.site))
            return assignments.map { assignment in
                Self.row(assignment, on: today, site: names[Name(assignment.site)], what: forms.what(assignment))
            }
        }
        return Listing(
            kind: .assignment, columns: ["ID", "DUE", "WHO", "SITE", "STATUS", "WHAT"], rows: rows,
            unreadable: list.unreadable)
    }

    /// Those that are meant by the one that was asked for; `nil` for all.
    var districts: [String]? {
        filter.request.district.map { district in
            filter.districts.filter { ChoiceMatch.means(district, choice: $0) }
        }
    }

    // MARK: Rows

    /// Whole records are read only if the user wants all of them.
    private static func row(_ site: ListedSite, last: String?) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.site, id: site.id),
            cells: [
                RecordReference.short(site.id, kind: .site), site.name, site.address, site.district ?? "",
                last ?? "never",
            ], object: nil)
    }

    private static func row(_ inspection: ListedInspection, site: String?, findings: Int?) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.inspection, id: inspection.id),
            cells: [
                RecordReference.short(inspection.id, kind: .inspection), inspection.date, site ?? "",
                inspection.visit ?? "", inspection.status, inspection.score.map(String.init) ?? "",
                findings.map(String.init) ?? "",
            ], object: nil)
    }

    private static func row(_ finding: ListedFinding, site: String?, isAlone: Bool) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.finding, id: finding.id),
            cells: [
                RecordReference.short(finding.id, kind: .finding), finding.date, site ?? "", finding.risk ?? "",
                (isAlone ? "(inspection not here) " : "") + finding.text, finding.corrected ?? "",
            ], object: nil)
    }

    private static func row(_ form: FormDefinition) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.form, id: form.id),
            cells: [
                RecordReference.short(form.id, kind: .form), form.name, String(form.version),
                String(form.fields.count),
            ], object: form.identifiedObject)
    }

    private static func row(_ summary: FormSummary, of document: FormDocument) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.form, id: document.id),
            cells: [
                RecordReference.short(document.id, kind: .form), summary.titleText, summary.reference.version,
                String(summary.questions),
            ], object: document.identifiedObject)
    }

    private static func row(
        _ assignment: Assignment, on today: CalendarDay, site: String?, what: String?
    ) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.assignment, id: assignment.id),
            cells: [
                RecordReference.short(assignment.id, kind: .assignment),
                assignment.due.description + (assignment.urgency(on: today).map { ", \($0)" } ?? ""),
                assignment.inspector, site ?? "", assignment.status.rawValue, what ?? "",
            ], object: assignment.identifiedObject)
    }
}

extension ListFilter {
    /// The same by the values of records.
    ///
    /// - Parameter districts: `nil` for all.
    func records(in districts: [String]?) -> RecordFilter {
        var filter = RecordFilter()
        (filter.site, filter.status, filter.districts) = (site, request.status, districts)
        (filter.form, filter.score) = (form, request.score)
        (filter.since, filter.until) = (since, until)
        if request.mineOnly { filter.owner = user.map { .named($0) } ?? .nobody }
        return filter
    }

    fileprivate var takesAllSites: Bool {
        request.terms.isEmpty && request.district == nil && site == nil && request.status == nil && !request.mineOnly
    }

    fileprivate func accepts(_ site: ListedSite) -> Bool {
        if let district = request.district {
            guard let code = site.district, ChoiceMatch.means(district, choice: code) else { return false }
        }
        if let wanted = self.site, !site.id.isExactly(wanted) { return false }
        return request.status == nil && !(request.mineOnly && user != nil)
    }
}
