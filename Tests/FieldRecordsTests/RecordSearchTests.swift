import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite(.timeLimit(.minutes(1))) struct RecordSearchTests {
    @Test func termsAreFoundWhereverPeopleWriteThem() throws {
        let temporary = try TemporaryField()
        let field = temporary.field
        let day = try #require(CalendarDay("2026-03-04"))
        try field.sites.add(
            Site(id: "site-1", name: "Café Zürich", address: Address(), district: .unknown), by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: .unknown)
        inspection.answers["remark"] = "Rückgabe der Schlüssel"
        inspection.notes = "back door\nis broken"
        try field.inspections.add(inspection, by: temporary.author)
        try field.findings.add(
            Finding(
                id: "finding-1", inspection: nil, site: "site-1", date: day.adding(days: 3),
                text: "No soap at the back",
                district: .unknown), by: temporary.author)
        func ids(_ text: String, since: Int? = nil, until: Int? = nil) throws -> [String] {
            try RecordSearch(
                text, since: since.map { day.adding(days: $0) }, until: until.map { day.adding(days: $0) }
            ).run(in: field.store).map(\.id)
        }
        #expect(try ids("cafe zurich") == ["site-1"])
        #expect(try ids("RUCKGABE") == ["inspection-1"])
        #expect(try ids("back") == ["inspection-1", "finding-1"])
        #expect(try ids("back soap") == ["finding-1"])
        #expect(try ids("back", since: 1) == ["finding-1"])
        #expect(try ids("back", until: 1) == ["inspection-1"])
        #expect(try ids("nowhere").isEmpty && ids(" ").isEmpty)
        #expect(try RecordSearch("broken").run(in: field.store).map(\.excerpt) == ["is broken"])
    }

    /// A user who searches for a typed value must not believe that it is lost.
    @Test func whatIsKeptBesideAnotherValueIsFound() throws {
        let temporary = try TemporaryField()
        var site = Site(id: "site-1", name: "Mill", address: Address(), district: .unknown)
        site.envelope.rest["conflicts"] = [["field": "notes", "value": "lamp is out", "by": "ines"]]
        try temporary.field.sites.add(site, by: temporary.author)
        #expect(try RecordSearch("lamp").run(in: temporary.field.store).map(\.excerpt) == ["to decide: lamp is out"])
    }

    /// Foundation's search in such a text takes time by the square of the marks: hours.
    @Test func aTextOfMarksHoldsNobodyUp() throws {
        let temporary = try TemporaryField()
        let marks = String(repeating: "\u{301}\u{316}", count: 200_000)
        var site = Site(id: "site-1", name: "Mill" + marks, address: Address(), district: .unknown)
        site.notes = marks + " and behind it much that is to be read, more than fits a line of any terminal: the wheel"
        try temporary.field.sites.add(site, by: temporary.author)
        let found = try RecordSearch("wheel").run(in: temporary.field.store)
        #expect(found.count == 1)
        #expect(found.first?.excerpt.hasSuffix("the wheel") == true)
        #expect(try RecordSearch("mill").run(in: temporary.field.store).count == 1)
    }

    /// The standard library takes joining letters for one character, and looks for the character's end at each of them.
    @Test(arguments: ["\u{1100}", "\u{1F469}\u{200D}"]) func aTextOfOneLetterHoldsNobodyUp(letter: String) throws {
        let temporary = try TemporaryField()
        var site = Site(id: "site-1", name: "Mill", address: Address(), district: .unknown)
        site.notes = "clean " + String(repeating: letter, count: 60_000)
        try temporary.field.sites.add(site, by: temporary.author)
        let term = String(repeating: letter, count: 3)
        #expect(try RecordSearch(term).run(in: temporary.field.store).count == 1)
    }

    @Test func aLetterIsFoundInEitherSpelling() throws {
        let temporary = try TemporaryField()
        var site = Site(id: "site-1", name: "Mill", address: Address(), district: .unknown)
        site.notes = "\u{1112}\u{1161}\u{11AB} and \u{AE00}"
        try temporary.field.sites.add(site, by: temporary.author)
        for term in ["\u{D55C}", "\u{1100}\u{1173}\u{11AF}"] {
            #expect(try RecordSearch(term).run(in: temporary.field.store).count == 1, "\(term)")
        }
    }
}
