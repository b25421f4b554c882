import DocumentValues
import FieldModels
import FieldRecords

/// The list of filled forms.
extension ListingBuilder {
    /// The newest first.
    func responses() throws -> Listing {
        let list = try field.responses.all()
        let sites = NamedSites(field)
        let responses = list.records
            .filter { response in
                filter.accepts(
                    response, site: response.site, owner: response.envelope.createdBy, status: response.state.rawValue,
                    day: response.startedAt?.day)
            }
            .sorted { ($1.begun, Name($1.id)) < ($0.begun, Name($0.id)) }
        let rows = try Portions(responses[...], by: ShellLimits.rowsAtOnce).map { responses in
            let names = try sites.names(of: responses.compactMap(\.site))
            return responses.map { Self.row($0, site: $0.site.map { names[Name($0)] ?? $0 }) }
        }
        return Listing(
            kind: .response, columns: ["ID", "BEGUN", "FORM", "VERSION", "NAME", "SITE", "STATE"], rows: rows,
            unreadable: list.unreadable)
    }

    private static func row(_ response: Response, site: String?) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.response, id: response.id),
            cells: [
                RecordReference.short(response.id, kind: .response), response.startedAt?.day.description ?? "",
                response.form, response.formVersion, response.instanceName ?? "", site ?? "", response.state.rawValue,
            ], object: response.identifiedObject)
    }
}

extension Response {
    fileprivate var begun: Int64 { (startedAt ?? envelope.createdAt)?.secondsSince1970 ?? 0 }
}
