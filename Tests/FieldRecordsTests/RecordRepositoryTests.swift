import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite struct RecordRepositoryTests {
    private func site(_ id: String, name: String = "Mill") -> Site {
        Site(id: id, name: name, address: Address(), district: .unknown)
    }

    @Test func whatIsSavedIsRead() throws {
        let temporary = try TemporaryField()
        let saved = try temporary.field.sites.add(site("site-1"), by: temporary.author)
        #expect(saved.envelope.createdBy == "mara" && saved.envelope.changedBy == nil)
        #expect(try temporary.field.sites.find("site-1") == saved)
        #expect(try temporary.field.sites.all().records == [saved])
        #expect(temporary.field.sites.count == 1)
    }

    @Test func aRecordThatFailsItsRulesIsNotSaved() throws {
        let temporary = try TemporaryField()
        let error = #expect(throws: RecordError.self) {
            try temporary.field.sites.add(site("site-1", name: " "), by: temporary.author)
        }
        #expect(error?.description == "site site-1: name is empty")
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        #expect(throws: RecordError.self) {
            try temporary.field.sites.update("site-1", by: temporary.author) { $0.name = "" }
        }
        #expect(try temporary.field.sites.find("site-1")?.name == "Mill")
    }

    @Test func anIDIsUsedOnce() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        let error = #expect(throws: RecordActionError.self) {
            try temporary.field.sites.add(site("site-1", name: "Other"), by: temporary.author)
        }
        #expect(error?.code == .exists)
    }

    /// A sync may bring another version between reading and saving: the change is applied to that version.
    @Test func aChangeIsMadeToWhatIsThereNow() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        var isFirst = true
        let changed = try temporary.field.sites.update("site-1", by: temporary.author) { record in
            if isFirst {
                isFirst = false
                try temporary.field.sites.update("site-1", by: temporary.author) { $0.phone = "123" }
            }
            record.notes = "side door"
        }
        #expect(changed.phone == "123" && changed.notes == "side door")
    }

    @Test func aChangeOfNothingMakesNoRevision() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        let revision = try temporary.field.collection(of: .site).document(id: "site-1")?.revisionID
        try temporary.field.sites.update("site-1", by: temporary.author) { $0.name = "Mill" }
        #expect(try temporary.field.collection(of: .site).document(id: "site-1")?.revisionID == revision)
    }

    @Test func whatIsNoRecordIsNamedAndTheOthersAreRead() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        try temporary.field.collection(of: .site).save(
            document: MutableDocument(id: "note", json: #"{"name":5,"schema":1}"#))
        let list = try temporary.field.sites.all()
        #expect(list.records.map(\.id) == ["site-1"])
        #expect(list.unreadable.map(\.description) == ["site note: name must be text, but is 5"])
    }

    @Test func deletedRecordsAreGone() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        try temporary.field.sites.delete("site-1")
        #expect(try temporary.field.sites.find("site-1") == nil)
        #expect(throws: RecordActionError.self) { try temporary.field.sites.delete("site-1") }
    }

    /// Documents that are not parsed as JSON must be those that the whole list has for other inspections, even if the
    /// id is escaped.
    @Test func theFindingsOfOneInspectionAreThoseOfTheWholeList() throws {
        let temporary = try TemporaryField()
        let day = try #require(CalendarDay("2026-03-04"))
        let names = ["i-1", "i-10", "caf\u{E9}", "a\"b/c"]
        for (number, name) in names.enumerated() {
            let finding = Finding(
                id: "f\(number)", inspection: name, site: "s", date: day, text: "Dust in i-1", district: .unknown)
            try temporary.field.findings.add(finding, by: temporary.author)
        }
        func body(_ inspection: String, text: String = #""Rats""#) -> [UInt8] {
            Array(
                #"{"type":"finding","inspection":"\#(inspection)","site":"s","date":"2026-03-04","text":\#(text)}"#.utf8
            )
        }
        try temporary.field.collection(of: .finding).save(bodies: [
            ("g0", body(#"\u0069-1"#)), ("g1", body(#"caf\u00e9"#)), ("g2", body(#"a\"b\/c"#)),
            ("g3", body("i-1", text: "5")), ("g4", body("i-2", text: "6")),
        ])
        let all = try temporary.field.findings.all().records
        for (name, count) in zip(names, [2, 1, 2, 2]) {
            let list = try temporary.field.findings.all(ofInspection: name)
            #expect(
                list.records == all.filter { $0.inspection.isExactly(name) } && list.records.count == count, "\(name)")
        }
        #expect(try temporary.field.findings.all(ofInspection: "i-1").unreadable.map(\.id) == ["g3"])
    }

    @Test func aSiteWithInspectionsStays() throws {
        let temporary = try TemporaryField()
        let day = try #require(CalendarDay("2026-03-04"))
        try temporary.field.sites.add(site("site-1"), by: temporary.author)
        try temporary.field.inspections.add(
            Inspection(id: "inspection-1", site: "site-1", date: day, district: .unknown), by: temporary.author)
        let error = #expect(throws: RecordActionError.self) { try temporary.field.removals.deleteSite("site-1") }
        #expect(error?.description == "The site site-1 has 1 inspection. Delete them first.")
    }

    @Test(arguments: [
        ("site-k3m9x2pq7d", true), ("assignment-0000000000", true), ("site-4711", false), ("site-k3m9x2pq7", false),
        ("site-k3m9x2pq7da", false), ("site-k3m9x2pql1", false), ("note-k3m9x2pq7d", false), ("k3m9x2pq7d", false),
        ("site-K3M9X2PQ7D", false), ("site-k3m9x2pq7\u{E9}", false), ("", false),
    ])
    func anIDOfALaptopIsKnown(id: String, isMade: Bool) { #expect(RecordIDs.isMade(id) == isMade) }

    @Test func newIDsCanBeReadAloudAndDiffer() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<10_000).map { _ in RecordIDs.make(.site, using: &generator) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 15 && !$0.dropFirst(5).contains { "1ilo".contains($0) } })
    }
}
