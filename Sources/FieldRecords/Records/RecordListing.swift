import DocumentStore
import DocumentValues
import FieldModels

/// Details of a record in lists that come from other records.
public struct RecordListing: RecordService {
    let store: RecordStore

    /// The names of sites by their ids, as far as they are here and can be read.
    ///
    /// - Parameter ids: `nil` for all sites.
    package func siteNames(of ids: [String]? = nil) throws -> [Name: String] {
        let condition = ids.map { RecordCondition.any("META().id", of: $0) }
        let wanted = ids.map { Set($0.map { Name($0) }) }
        let odd = try OddRecords(in: sites)
        var names: [Name: String] = [:]
        names.reserveCapacity(ids?.count ?? sites.count)
        try sites.forEachRow(of: ["name"], where: condition) { row in
            if let id = row.text(0), let name = row.text(1) { names[Name(id)] = name }
        }
        for id in odd.ids { names[id] = nil }
        for site in odd.list.records where wanted?.contains(Name(site.id)) ?? true { names[Name(site.id)] = site.name }
        return names
    }

    package func lastInspections() throws -> LastInspections { try LastInspections(inspections) }

    package func findingCounts() throws -> FindingCounts { try FindingCounts(findings) }

    /// Those of some inspections that are here, whether they can be read or not.
    package func presentInspections(among ids: [String]) throws -> Set<Name> {
        guard !ids.isEmpty else { return [] }
        let condition = RecordCondition.any("META().id", of: ids)
        return Set(try condition.ids(in: collection(of: .inspection)).map { Name($0) })
    }

    /// The records as lines of JSON have them; those that are not here, or cannot be read, are left out.
    package func identifiedObjects(of kind: RecordKind, _ ids: [String]) throws -> [JSONObject] {
        try zip(ids, collection(of: kind).bodies(of: ids)).compactMap { id, stored -> JSONObject? in
            guard let stored, !stored.isDeleted else { return nil }
            return switch kind {
            case .site: (try? Site(id: id, body: stored.body))?.identifiedObject
            case .inspection: (try? Inspection(id: id, body: stored.body))?.identifiedObject
            case .finding: (try? Finding(id: id, body: stored.body))?.identifiedObject
            case .form: (try? FormDefinition(id: id, body: stored.body))?.identifiedObject
            case .assignment: (try? Assignment(id: id, body: stored.body))?.identifiedObject
            case .response: (try? Response(id: id, body: stored.body))?.identifiedObject
            }
        }
    }

    /// The readable inspections that are not approved.
    public func unapprovedInspections() throws -> [Inspection] { try inspections.all(where: .unapproved) }

    /// The inspections that were made for an assignment, in the order of their ids, as far as they can be read.
    public func inspections(ofAssignment id: String) throws -> [Inspection] {
        try inspections.all(where: .of("assignment", id: id))
    }

    /// The inspections of a site, in the order of their ids, as far as they can be read.
    public func inspections(ofSite id: String) throws -> [Inspection] {
        try inspections.all(where: .of("site", id: id))
    }

    /// The readable findings of a site, in the order of their ids.
    public func findings(ofSite id: String) throws -> [Finding] { try findings.all(where: .of("site", id: id)) }
}
