import DocumentStore
import DocumentValues
import FieldModels

/// The days of the last inspections of sites, looked up for some sites at a time.
package struct LastInspections: Sendable {
    private let inspections: RecordRepository<Inspection>
    private let odd: OddRecords<Inspection>

    init(_ inspections: RecordRepository<Inspection>) throws {
        self.inspections = inspections
        odd = try OddRecords(in: inspections)
    }

    /// As days are spelled, by the sites' ids.
    package func days(ofSites ids: [String]) throws -> [Name: String] {
        var days: [Name: String] = [:]
        func note(_ day: String, of site: String) {
            if let known = days[Name(site)], !known.isExactlyBefore(day) { return }
            days[Name(site)] = day
        }
        try inspections.forEachRow(of: ["site", "date"], where: .any("site", of: ids)) { row in
            if !odd.ids.isEmpty, let id = row.text(0), odd.ids.contains(Name(id)) { return }
            if let site = row.text(1), let day = row.text(2) { note(day, of: site) }
        }
        guard !odd.list.records.isEmpty else { return days }
        let wanted = Set(ids.map { Name($0) })
        for inspection in odd.list.records where wanted.contains(Name(inspection.site)) {
            note(inspection.date.description, of: inspection.site)
        }
        return days
    }
}
