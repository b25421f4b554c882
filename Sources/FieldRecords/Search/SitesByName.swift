import DocumentStore
import DocumentValues
import FieldModels

/// Sites in the order of their list: numbers within their names by their values, and sites of one name by their ids.
package struct SitesByName: Sendable {
    package let sites: Portions<ListedSite>
    /// Documents of the collection that are no sites, or of a newer version.
    package let unreadable: [RecordError]

    fileprivate init(sites: Portions<ListedSite>, unreadable: [RecordError]) {
        (self.sites, self.unreadable) = (sites, unreadable)
    }

    /// Sites that were read.
    package init(_ sites: [ListedSite], unreadable: [RecordError]) {
        let sorted = sites.sortedNaturally { [$0.name, $0.id] }
        self.init(sites: Portions(sorted[...], by: FieldRecordsLimits.recordsAtOnce), unreadable: unreadable)
    }
}

extension RecordRepository<Site> {
    /// All sites. Their order needs all names, which are read now; the rest of them is read as the list is shown.
    package func byName() throws -> SitesByName {
        let odd = try OddRecords(in: self)
        var named: [(id: String, name: String)] = []
        named.reserveCapacity(count)
        try forEachRow(of: ["name"]) { row in
            guard let id = row.text(0), odd.ids.isEmpty || !odd.ids.contains(Name(id)) else { return }
            named.append((id, row.text(1) ?? ""))
        }
        named += odd.list.records.map { ($0.id, $0.name) }
        let ids = named.sortedNaturally { [$0.name, $0.id] }.map(\.id)
        let others = odd.list.records.map { ListedSite($0) }
        let rows = try Portions(ids[...], by: FieldRecordsLimits.recordsAtOnce).map { try sites($0, among: others) }
        return SitesByName(sites: rows, unreadable: odd.list.unreadable)
    }

    /// Those that are still here, in the order of the ids.
    ///
    /// - Parameter others: sites that were read as a whole.
    private func sites(_ ids: [String], among others: [ListedSite]) throws -> [ListedSite] {
        var sites: [Name: ListedSite] = [:]
        sites.reserveCapacity(ids.count)
        try forEachRow(of: ListedSite.columns, where: .any("META().id", of: ids)) { row in
            if let id = row.text(0) { sites[Name(id)] = ListedSite(id: id, row: row) }
        }
        for site in others where sites[Name(site.id)] != nil { sites[Name(site.id)] = site }
        return ids.compactMap { sites[Name($0)] }
    }

    /// Sites that may have all terms in their names, addresses or ids: all that do, and some others.
    ///
    /// - Parameters:
    ///   - terms: as texts are searched; none for all sites.
    ///   - isShown: whether a site that was read as a whole is to be among them.
    package func listed(
        mayHave terms: [Substring], isShown: (Site) -> Bool = { _ in true }
    ) throws -> ListedRecords<ListedSite> {
        let terms = SearchTerms(terms.joined(separator: " "))
        guard !terms.isEmpty else { return try listed(as: ListedSite.self, isShown: isShown) }
        let ids = try terms.candidates(in: self)
        // Many are found faster by reading all.
        let some = ids.count > FieldRecordsLimits.recordsAtOnce ? nil : ids
        return try listed(as: ListedSite.self, among: some, isShown: isShown)
    }
}
