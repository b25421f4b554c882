import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// The list of filled forms.
extension ListingBuilder {
    /// The newest first, unless another order was asked for.
    func responses() throws -> Listing {
        let list = try responsesInOrder()
        let sites = NamedSites(field)
        let rows = try list.records.map { [field, filter] responses in
            let names = try sites.names(of: responses.compactMap(\.site))
            return try responses.compactMap { response -> Listing.Row? in
                let stage = try response.stage(in: field)
                guard filter.takes(stage) else { return nil }
                return Self.row(response, site: response.site.map { names[Name($0)] ?? $0 }, stage: stage)
            }
        }
        return Listing(
            kind: .response, columns: ["ID", "BEGUN", "FORM", "VERSION", "NAME", "SITE", "STATE"], rows: rows,
            unreadable: list.unreadable)
    }

    /// The ids of those that the filter lets through, the newest first; without a status no drafts.
    func responseIDs() throws -> [String] {
        var ids: [String] = []
        try responsesInOrder().records.forEach { responses in
            for response in responses {
                guard filter.request.status != nil || response.state != .draft,
                    filter.takes(try response.stage(in: field))
                else { continue }
                ids.append(response.id)
            }
        }
        return ids
    }

    private func responsesInOrder() throws -> RecordsByDay<ListedResponse> {
        var wanted = filter.records(in: districts)
        wanted.status = nil
        wanted.statuses = filter.stage?.states.map(\.rawValue)
        let isShown = { (response: Response) in
            guard filter.form.map({ response.form.isExactly($0) }) ?? true,
                filter.stage?.states.contains(response.state) ?? true
            else { return false }
            return filter.accepts(
                response, site: response.site, owner: response.envelope.createdBy, status: filter.request.status,
                day: (response.startedAt ?? response.envelope.createdAt)?.day)
        }
        guard let sort = filter.request.sort else {
            return try field.responses.byDay(as: ListedResponse.self, where: wanted, isShown: isShown)
        }
        let names = sort.column == .site ? try field.listing.siteNames() : [:]
        func key(_ response: ListedResponse) -> String {
            switch sort.column {
            case .date: response.date
            case .form: response.form
            case .name: response.name ?? ""
            case .site: response.site.map { names[Name($0)] ?? $0 } ?? ""
            case .status, .score: response.state?.rawValue ?? ""
            }
        }
        return try field.responses.ordered(as: ListedResponse.self, where: wanted, isShown: isShown) { left, right in
            let (first, second) = sort.isReversed ? (right, left) : (left, right)
            return key(first).isExactlyBefore(key(second))
        }
    }

    private static func row(_ response: ListedResponse, site: String?, stage: ResponseStage?) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.response, id: response.id),
            cells: [
                RecordReference.short(response.id, kind: .response), String(response.date.utf8.prefix(10)) ?? "",
                response.form, response.version, response.name ?? "", site ?? "", stage?.rawValue ?? "",
            ], object: nil)
    }
}

extension ListedResponse {
    /// `nil` for a state that this version of the program does not know.
    fileprivate func stage(in field: FieldDatabase) throws -> ResponseStage? {
        guard let state else { return nil }
        let isSent =
            state == .final ? try field.collection(of: .response).exchange(of: id)?.isSent ?? false : false
        return ResponseStage(state, isSent: isSent)
    }
}

extension ListFilter {
    /// Of filled forms, by any of its names.
    fileprivate var stage: ResponseStage? {
        guard let status = request.status else { return nil }
        return ResponseStage(exactly: status)
            ?? ResponseStage.otherNames.first { $0.name.isExactly(status) }?.stage
    }

    /// States are looked at by the query; whether the gateway has a record only its exchange shows.
    fileprivate func takes(_ found: ResponseStage?) -> Bool {
        guard let stage, stage.dependsOnExchange else { return true }
        return found == stage
    }
}
