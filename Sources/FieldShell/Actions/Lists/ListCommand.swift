import FieldModels
import FieldRecords

/// Lists of one kind of record.
struct ListCommand {
    let session: ShellSession

    func run(_ request: ListRequest) throws -> Listing {
        let field = try session.field()
        let site = try request.site.map { try RecordFinder(session: session).find($0, among: [.site]).id }
        let typed = TypedDays(session: session)
        let days = try (typed.day(request.since), typed.day(request.until))
        let checked = try checkingDistrict(request)
        if days.0 != nil || days.1 != nil, request.kind == .site || request.kind == .form {
            throw UsageError("A \(request.kind.rawValue) has no day.")
        }
        let filter = try ListFilter(
            request: checked, site: site, user: session.author().name, since: days.0, until: days.1)
        let builder = ListingBuilder(field, filter: filter)
        let listing =
            switch request.kind {
            case .site: try builder.sites()
            case .inspection: try builder.inspections()
            case .finding: try builder.findings()
            case .form: try builder.forms()
            case .assignment: try builder.assignments(on: session.environment.today())
            }
        session.number(LastList(listing.rows.map(\.reference)))
        return try ConflictMarks(session: session).marking(listing)
    }

    /// A district that no record has would find nothing, and look as if there were nothing.
    private func checkingDistrict(_ request: ListRequest) throws -> ListRequest {
        guard let code = request.district else { return request }
        let known = try session.field().districts.all()
        guard !known.isEmpty else { return request }
        var request = request
        let some = known.prefix(ShellLimits.districts).joined(separator: ", ")
        request.district = try CommandParser.choose(
            code, among: known, what: "district",
            hint: "There are: \(some)\(known.count > ShellLimits.districts ? ", …" : "").")
        return request
    }
}
