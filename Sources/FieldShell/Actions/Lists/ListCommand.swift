import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Lists of one kind of record.
struct ListCommand {
    let session: ShellSession

    func run(_ request: ListRequest) throws -> Listing {
        let builder = ListingBuilder(try session.field(), filter: try filter(request))
        var listing =
            switch request.kind {
            case .site: try builder.sites()
            case .inspection: try builder.inspections()
            case .finding: try builder.findings()
            case .form: try builder.forms()
            case .assignment: try builder.assignments(on: session.environment.today())
            case .response: try builder.responses()
            }
        listing.rows = try ConflictMarks(session: session).marking(session.numbered(listing.rows))
        return listing
    }

    /// Which records are meant.
    ///
    /// - Throws: `UsageError` for a site, a district or a day that there is not.
    func filter(_ request: ListRequest) throws -> ListFilter {
        let field = try session.field()
        let site = try request.site.map { try RecordFinder(session: session).find($0, among: [.site]).id }
        let typed = TypedDays(session: session)
        let days = try (typed.day(request.since), typed.day(request.until))
        let districts = try request.district == nil ? [] : field.districts.all()
        let checked = try Self.checkingDistrict(request, among: districts)
        if days.0 != nil || days.1 != nil, request.kind == .site || request.kind == .form {
            throw UsageError("A \(request.kind.rawValue) has no day.")
        }
        return try ListFilter(
            request: checked, districts: districts, site: site, form: form(checked), user: session.author().name,
            since: days.0, until: days.1)
    }

    /// The id of the form as records name it; one that is not here any more as it was typed.
    private func form(_ request: ListRequest) throws -> String? {
        guard let typed = request.form else { return nil }
        if request.kind == .inspection {
            return try RecordFinder(session: session).find(typed, among: [.form]).id
        }
        let field = try session.field()
        let known = try FormLibrary(in: field).summaries().map(\.reference.form.text)
        if known.containsExactly(typed) { return typed }
        let beginnings = known.filter { $0.hasExactPrefix(typed) }
        return beginnings.count == 1 ? beginnings[0] : typed
    }

    /// A district that no record has would find nothing, and look as if there were nothing.
    ///
    /// - Parameter known: the codes that there are.
    private static func checkingDistrict(_ request: ListRequest, among known: [String]) throws -> ListRequest {
        guard let code = request.district, !known.isEmpty else { return request }
        var request = request
        let some = known.prefix(ShellLimits.districts).joined(separator: ", ")
        request.district = try CommandParser.choose(
            code, among: known, what: "district",
            hint: "There are: \(some)\(known.count > ShellLimits.districts ? ", …" : "").")
        return request
    }
}
