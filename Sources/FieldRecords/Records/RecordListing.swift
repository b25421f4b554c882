import DocumentStore
import DocumentValues
import FieldModels

/// Details of a record in lists that come from other records.
public struct RecordListing: RecordService {
    let store: RecordStore

    /// The names of all sites by their ids.
    package func siteNames() throws -> [Name: String] {
        let odd = try OddRecords(in: sites)
        var names: [Name: String] = [:]
        names.reserveCapacity(sites.count)
        try sites.forEachRow(of: ["name"]) { row in
            if let id = row.text(0), let name = row.text(1) { names[Name(id)] = name }
        }
        for id in odd.ids { names[id] = nil }
        for site in odd.list.records { names[Name(site.id)] = site.name }
        return names
    }

    /// The days of the last inspections of sites, as days are spelled, by the sites' ids.
    package func lastInspections() throws -> [Name: String] {
        let odd = try OddRecords(in: inspections)
        var days: [Name: String] = [:]
        func note(_ day: String, of site: String) {
            if let known = days[Name(site)], !known.isExactlyBefore(day) { return }
            days[Name(site)] = day
        }
        try inspections.forEachRow(of: ["site", "date"]) { row in
            if !odd.ids.isEmpty, let id = row.text(0), odd.ids.contains(Name(id)) { return }
            if let site = row.text(1), let day = row.text(2) { note(day, of: site) }
        }
        for inspection in odd.list.records { note(inspection.date.description, of: inspection.site) }
        return days
    }

    /// The ids of all inspections, whether they can be read or not.
    package func inspectionIDs() throws -> Set<Name> {
        var ids: Set<Name> = []
        try inspections.forEachRow(of: []) { row in
            if let id = row.text(0) { ids.insert(Name(id)) }
        }
        return ids
    }

    /// How many findings inspections have, by the inspections' ids.
    package func findingCounts() throws -> [Name: Int] {
        let odd = try OddRecords(in: findings)
        let ties = try InspectionTies<Finding>(collection(of: .inspection))
        var counts: [Name: Int] = [:]
        try findings.forEachRow(of: ["inspection"]) { row in
            if !odd.ids.isEmpty, let id = row.text(0), odd.ids.contains(Name(id)) { return }
            guard let inspection = row.text(1), !ties.hides(inspection: inspection) else { return }
            counts[Name(inspection), default: 0] += 1
        }
        for finding in odd.list.records where !ties.hides(finding) {
            if let inspection = finding.inspection { counts[Name(inspection), default: 0] += 1 }
        }
        return counts
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
