import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Compares the values that lists read of records with those that a reader of whole records gets from the same
/// documents.
@Suite struct ListedRecordTests {
    private static let seeds: [UInt64] = Array(1...12)

    private static func filled(_ seed: UInt64) throws -> TemporaryField {
        let temporary = try TemporaryField()
        try RandomRecords.fill(temporary, seed: seed)
        return temporary
    }

    private static func text<Listed: ListedRecord>(_ listed: Listed) -> String { "\(listed)" }

    /// - Parameter isShown: the same as `filter`.
    private func check<Listed: DatedListedRecord>(
        _: Listed.Type, of records: RecordRepository<Listed.Record>, where filter: RecordFilter = RecordFilter(),
        isShown: (Listed.Record) -> Bool = { _ in true }
    ) throws {
        let list = try records.byDay(as: Listed.self, where: filter, isShown: isShown)
        let all = try records.all()
        let expected = all.records.filter(isShown).map { Listed($0) }
            .sorted { (Name($1.date), Name($1.id)) < (Name($0.date), Name($0.id)) }
        #expect(try list.records.all().map(Self.text) == expected.map(Self.text))
        #expect(list.unreadable.map(\.id).sorted() == all.unreadable.map(\.id).sorted())
    }

    @Test(arguments: seeds) func theySayTheSame(seed: UInt64) throws {
        let temporary = try Self.filled(seed)
        let sites = try temporary.field.sites.listed(as: ListedSite.self)
        let all = try temporary.field.sites.all()
        #expect(sites.records.map(Self.text).sorted() == all.records.map { Self.text(ListedSite($0)) }.sorted())
        #expect(sites.unreadable.map(\.id).sorted() == all.unreadable.map(\.id).sorted())
        try check(ListedInspection.self, of: temporary.field.inspections)
        try check(ListedFinding.self, of: temporary.field.findings)
    }

    @Test(arguments: [1, 2, 21] as [UInt64]) func sitesAreInTheOrderOfTheirNames(seed: UInt64) throws {
        let temporary = try TemporaryField()
        try RandomRecords.fill(temporary, seed: seed, scale: seed > 20 ? 15 : 1)
        let sites = temporary.field.sites
        let whole = try sites.all()
        let sorted = whole.records.sorted { $0.id.isExactlyBefore($1.id) }.sortedNaturally { [$0.name, $0.id] }
        let list = try sites.byName()
        #expect(try list.sites.all().map(Self.text) == sorted.map { Self.text(ListedSite($0)) })
        #expect(list.unreadable.map(\.id).sorted() == whole.unreadable.map(\.id).sorted())
        let read = try sites.listed(as: ListedSite.self)
        let same = SitesByName(read.records, unreadable: read.unreadable)
        #expect(try same.sites.all().map(Self.text) == sorted.map { Self.text(ListedSite($0)) })
    }

    /// A list that is open for long shows its later sites as they are then.
    @Test func sitesAreReadAsTheyAreShown() throws {
        let temporary = try TemporaryField()
        let field = temporary.field
        let bodies = (0..<1_200).map { number in
            (
                id: "site-\(number)",
                body: Array(
                    #"{"type":"site","name":"Mill \#(number)","district":"hill","channels":["district.hill"]}"#.utf8)
            )
        }
        try field.sites.collection.save(bodies: bodies)
        let list = try field.sites.byName().sites
        #expect(list.first.count == FieldRecordsLimits.recordsAtOnce)
        try field.sites.collection.purge(id: "site-1100")
        let names = try list.all().map(\.name)
        #expect(names == (0..<1_200).filter { $0 != 1_100 }.map { "Mill \($0)" })
    }

    /// Other sites than those that have the terms may be among them, and none that has them is missing.
    @Test(arguments: Array(1...6) as [UInt64]) func sitesWithTheTermsAreRead(seed: UInt64) throws {
        let temporary = try Self.filled(seed)
        let sites = temporary.field.sites
        let all = try sites.listed(as: ListedSite.self)
        var random = RandomRecords(seed: seed &+ 1_000)
        let samples = (0..<20).map { _ in random.text() }
        let parts = [
            "taco", "CAFÉ", "strasse", "main street,", ", port", "7-", "日", "a\"b", "\\", ",", "site-3", "zzzz",
        ]
        for text in samples + parts {
            let terms = text.searchable.split(separator: " ")
            let found = try sites.listed(mayHave: terms)
            let ids = Set(found.records.map { Name($0.id) })
            let missing = all.records.filter { site in
                let searched = "\(site.name) \(site.address) \(site.id)".searchable
                return terms.allSatisfy { searched.containsBytes(of: $0) } && !ids.contains(Name(site.id))
            }
            #expect(missing.isEmpty, "seed \(seed): \(text)")
            #expect(found.unreadable.map(\.id).sorted() == all.unreadable.map(\.id).sorted())
        }
    }

    /// Records of one day are in several portions, and odd ones between them.
    @Test(arguments: [21, 22] as [UInt64]) func portionsSayTheSame(seed: UInt64) throws {
        let temporary = try TemporaryField()
        try RandomRecords.fill(temporary, seed: seed, scale: 15)
        try check(ListedInspection.self, of: temporary.field.inspections)
        try check(ListedFinding.self, of: temporary.field.findings)
        let list = try temporary.field.findings.byDay(as: ListedFinding.self)
        var sizes: [Int] = []
        try list.records.forEach { sizes.append($0.count) }
        #expect(sizes.count >= 3 && sizes.allSatisfy { $0 > 0 }, "\(sizes)")
        try checkFilters(of: temporary.field)
    }

    /// Another program may have written them.
    @Test(.timeLimit(.minutes(1)), arguments: ["7", "null", "[]", "\"\"", "\"~\"", "\"2026-02-30\""])
    func thousandsOfDaysThatAreNoneEndTheList(day: String) throws {
        let temporary = try TemporaryField()
        let body = #"{"type":"finding","site":"s","text":"Dust","district":"hill","channels":["district.hill"],"date":"#
        let bodies = (0..<1_200).map { number in
            ("finding-\(number)", Array((body + (number == 600 ? #""2026-03-04""# : day) + "}").utf8))
        }
        try temporary.field.collection(of: .finding).save(bodies: bodies)
        let list = try temporary.field.findings.byDay(as: ListedFinding.self)
        #expect(try list.records.all().map(\.id) == ["finding-600"] && list.unreadable.count == 1_199)
    }

    @Test(arguments: seeds) func filtersLetTheSameThrough(seed: UInt64) throws {
        let temporary = try Self.filled(seed)
        try checkFilters(of: temporary.field)
    }

    private func checkFilters(of field: FieldDatabase) throws {
        let day = try #require(CalendarDay("2026-03-02"))
        let last = try #require(CalendarDay("2026-03-31"))
        var filter = RecordFilter()
        (filter.since, filter.until) = (day, last)
        try check(ListedFinding.self, of: field.findings, where: filter) { (day...last).contains($0.date) }
        filter = RecordFilter()
        (filter.site, filter.status) = ("site-3", "draft")
        try check(ListedInspection.self, of: field.inspections, where: filter) {
            $0.site == "site-3" && $0.status == .draft
        }
        try check(ListedFinding.self, of: field.findings, where: filter) { _ in false }
        filter = RecordFilter()
        filter.districts = ["hill", "Nörd"]
        try check(ListedFinding.self, of: field.findings, where: filter) {
            ["hill", "Nörd"].contains($0.district?.code)
        }
        filter = RecordFilter()
        filter.owner = .named("ré")
        try check(ListedInspection.self, of: field.inspections, where: filter) { $0.inspector.isExactly("ré") }
        filter.owner = .nobody
        try check(ListedFinding.self, of: field.findings, where: filter) { $0.envelope.createdBy == nil }
        filter.districts = []
        try check(ListedFinding.self, of: field.findings, where: filter) { _ in false }
    }

    @Test(arguments: seeds) func whatListsSayOfOthersIsTheSame(seed: UInt64) throws {
        let temporary = try Self.filled(seed)
        let field = temporary.field
        let (sites, inspections) = (try field.sites.all().records, try field.inspections.all().records)
        let names = Dictionary(sites.map { (Name($0.id), $0.name) }) { first, _ in first }
        #expect(try field.listing.siteNames() == names)
        let some = (0..<50).filter { !$0.isMultiple(of: 3) }.map { "site-\($0)" }
        let known = Set(some.map { Name($0) })
        #expect(try field.listing.siteNames(of: some) == names.filter { known.contains($0.key) })
        let days = Dictionary(inspections.map { (Name($0.site), $0.date) }, uniquingKeysWith: max)
        #expect(
            try field.listing.lastInspections().days(ofSites: some)
                == days.mapValues(\.description).filter { known.contains($0.key) })
        let findings = try field.findings.all().records
        let visited = (0..<70).map { "inspection-\($0)" }
        let visits = Set(visited.map { Name($0) })
        // Some findings name an inspection that there is not.
        let counts = Dictionary(
            findings.compactMap { $0.inspection.map { (Name($0), 1) } }.filter { visits.contains($0.0) },
            uniquingKeysWith: +)
        #expect(try field.listing.findingCounts().counts(ofInspections: visited) == counts)
        let present = try field.collection(of: .inspection).documentIDs()
        #expect(try field.listing.presentInspections(among: visited) == Set(present.map { Name($0) }))
        let codes = Set(
            sites.compactMap { $0.district.map { Name($0.code) } }
                + inspections.compactMap { $0.district.map { Name($0.code) } })
        #expect(try field.districts.all() == codes.sorted().map(\.text))
    }

    /// An odd record is read as a whole, so there must be few of them among those that this program writes.
    @Test func whatThisProgramWritesIsNotOdd() throws {
        let temporary = try TemporaryField()
        let (field, hill) = (temporary.field, try #require(District("hill")))
        let day = try #require(CalendarDay("2026-03-31"))
        var site = Site(
            id: "site-1", name: "Café", address: Address(street: "1 Quay", city: "Ämble"), district: hill)
        site.location = Coordinates(latitude: 1, longitude: 2)
        try field.sites.add(site, by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: hill)
        (inspection.inspector, inspection.score, inspection.notes) = ("mara", 95, "ré")
        try field.inspections.add(inspection, by: temporary.author)
        var finding = Finding(
            id: "finding-1", inspection: "inspection-1", site: "site-1", date: day, text: "Dust", district: hill)
        (finding.risk, finding.corrected) = (.high, day.adding(days: 1))
        try field.findings.add(finding, by: temporary.author)
        #expect(try OddRecords(in: field.sites).ids.isEmpty)
        #expect(try OddRecords(in: field.inspections).ids.isEmpty)
        #expect(try OddRecords(in: field.findings).ids.isEmpty)
    }
}
