import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct RecordIndexTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws { temporary = try TemporaryField() }

    @Test func eachIsUsedByTheQueryThatItIsFor() throws {
        for index in RecordIndex.all {
            guard let condition = index.condition else { continue }
            let collection = field.collection(of: index.kind)
            let query = try field.database.createQuery(
                "SELECT META().id FROM \(collection.fullName) WHERE \(condition.text)")
            #expect(try query.usedIndexes() == [index.name])
        }
    }

    /// A folder of an earlier version, or one that was copied without its indexes.
    @Test func theyAreMadeWhereTheyAreMissing() throws {
        let inspections = field.collection(of: .inspection)
        let before = try inspections.indexes()
        #expect(
            before == [
                "inspections_approval_noted", "inspections_day", "inspections_odd", "inspections_site",
                "inspections_unapproved", "inspections_undecided",
            ])
        try inspections.deleteIndex(forName: "inspections_unapproved")
        try inspections.createIndex(
            withName: "inspections_undecided", config: ValueIndexConfiguration(["type"], where: "status = 'draft'"))
        try field.store.makeIndexes()
        #expect(try inspections.indexes() == before)
        let query = try field.database.createQuery(
            "SELECT META().id FROM field.inspections WHERE \(RecordCondition.undecided.text)")
        #expect(try query.usedIndexes() == ["inspections_undecided"])
    }

    /// Another process may hold the folder for as long as it writes.
    @Test func nothingIsWrittenWhereTheyAreThere() throws {
        let other = try FieldDatabase(folder: field.folder, configuration: DatabaseConfiguration())
        defer { #expect(throws: Never.self) { try other.close() } }
        try other.database.inBatch { try field.store.makeIndexes() }
    }

    private func inspection(_ id: String, status: Inspection.Status?, by name: String = "mara") throws {
        let day = CalendarDay(daysSince1970: 20_000)
        var inspection = Inspection(id: id, site: "site-1", date: day, district: .unknown)
        inspection.inspector = name
        var body = inspection.object
        body["status"] = status.map { .string($0.rawValue) }
        try field.collection(of: .inspection).save(bodies: [(id, body.bytes)])
    }

    /// An inspection without a state is a draft.
    @Test func whatNobodyHasApprovedIsFound() throws {
        for status in Inspection.Status.allCases { try inspection("inspection-\(status)", status: status) }
        try inspection("inspection-a", status: nil)
        let found = try field.listing.unapprovedInspections().map(\.id)
        #expect(found == ["inspection-a", "inspection-draft", "inspection-returned", "inspection-submitted"])
    }

    @Test func workOfAPersonIsFoundByItsName() throws {
        try inspection("inspection-1", status: .approved)
        try inspection("inspection-2", status: .approved, by: "ines")
        #expect(try field.store.supervisorRole(of: "ines") == .unlikely)
        #expect(try field.store.supervisorRole(of: "tomas") == .possible)
        let author = Author(name: "tomas", moment: temporary.author.moment)
        try field.inspections.update("inspection-1", by: author) { $0.status = .returned }
        #expect(try field.store.supervisorRole(of: "tomas") == .known)
    }

    @Test func nobodyLooksForDistrictsBeforeSomebodyAsks() throws {
        let hill = try #require(District("hill"))
        try field.sites.add(
            Site(id: "site-1", name: "Mill", address: Address(), district: hill), by: temporary.author)
        try field.acknowledge(.site, "site-1")
        let districts = try ArrivingDistricts(into: field.store)
        var site = Site(id: "site-2", name: "Quay", address: Address(), district: try #require(District("quay")))
        site.notes = "made while the exchange ran, before anything new had come"
        try field.sites.add(site, by: temporary.author)
        #expect(try districts.wasPresent("hill") && districts.wasPresent("quay") && !districts.wasPresent("mill"))
    }
}
