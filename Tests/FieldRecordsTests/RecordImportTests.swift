import CityRegister
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@Suite struct RecordImportTests {
    private static let sites = """
        business_id,name,address,city,state,postal_code
        1,Mill,,,,70112
        2,Quay,,,,70113

        """
    private static let inspections = "business_id,score,date,type\n1,90,20260301,routine\n"
    private static let findings = "business_id,date,description\n1,20260301,Dirty\n2,20260301,Dirty\n"

    private func prepare(_ temporary: TemporaryField) throws {
        _ = try temporary.file("in/businesses.csv", Self.sites)
        _ = try temporary.file("in/inspections.csv", Self.inspections)
        _ = try temporary.file("in/violations.csv", Self.findings)
        _ = try temporary.file("in/legend.csv", "Minimum_Score,Description\n0,Poor\n")
    }

    private func counts(_ report: ImportReport) -> [String] {
        report.counts.map {
            "\($0.records) \($0.rows): \($0.added) added, \($0.updated) updated, \($0.unchanged) same, \($0.kept) kept"
        }
    }

    @Test func importsAFolderAndThenChangesNothing() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        let report = try RecordImport(into: temporary.field).run([temporary.path("in")])
        #expect(
            counts(report) == [
                "sites 2: 2 added, 0 updated, 0 same, 0 kept", "inspections 1: 1 added, 0 updated, 0 same, 0 kept",
                "findings 2: 2 added, 0 updated, 0 same, 0 kept",
            ])
        #expect(report.notes.map(\.kind) == [.findingWithoutInspection, .fileIgnored])
        let revision = try temporary.field.collection(of: .site).document(id: "site-1")?.revisionID
        let again = try RecordImport(into: temporary.field).run([temporary.path("in")])
        #expect(
            counts(again) == [
                "sites 2: 0 added, 0 updated, 2 same, 0 kept", "inspections 1: 0 added, 0 updated, 1 same, 0 kept",
                "findings 2: 0 added, 0 updated, 2 same, 0 kept",
            ])
        #expect(try temporary.field.collection(of: .site).document(id: "site-1")?.revisionID == revision)
    }

    @Test func whatWasChangedOrDeletedHereStaysSo() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        _ = try RecordImport(into: temporary.field).run([temporary.path("in")])
        try temporary.field.sites.update("site-1", by: temporary.author) { $0.phone = "123" }
        try temporary.field.acknowledge(.site, "site-2")
        try temporary.field.sites.delete("site-2")
        let changed = Self.sites.replacing("Mill", with: "Old mill").replacing("Quay", with: "New quay")
        let report = try RecordImport(into: temporary.field).run([try temporary.file("businesses.csv", changed)])
        #expect(counts(report) == ["sites 2: 0 added, 0 updated, 0 same, 2 kept"])
        #expect(report.notes.map(\.kind) == [.changedHere, .deletedHere])
        #expect(report.notes.map(\.line) == [2, 3])
        #expect(try temporary.field.sites.find("site-1")?.name == "Mill")
        #expect(try temporary.field.sites.find("site-2") == nil)
    }

    @Test func whatIsNotUTF8IsReadAsWhatTheNoteSays() throws {
        let temporary = try TemporaryField()
        let header = Array("business_id,name,address,city,state,postal_code\n".utf8)
        let row = Array("1,".utf8) + [0x80] + Array(" shop,,,,70112\n".utf8)
        let file = try temporary.file("businesses.csv", header + row)
        let report = try RecordImport(into: temporary.field).run([file])
        #expect(try temporary.field.sites.find("site-1")?.name == "€ shop")
        #expect(report.notes.first { $0.kind == .bytesNotUTF8 }?.outcome == "read as Windows-1252")
    }

    /// Numbers of ten letters and digits look like the ids of laptops, under which any user may make records.
    @Test func noSiteOfARegisterGetsTheIDOfALaptop() throws {
        let temporary = try TemporaryField()
        let rows = Self.sites + "2345678902,Yard,,,,70114\nDE23456789,Barn,,,,70114\n"
        let visits = Self.inspections + "2345678902,70,20260302,routine\n"
        let paths = [
            try temporary.file("businesses.csv", rows), try temporary.file("inspections.csv", visits),
        ]
        let report = try RecordImport(into: temporary.field).run(paths)
        #expect(report.addedForOffice == 6)
        #expect(report.notes.isEmpty)
        let ids = try temporary.field.sites.all().records.map(\.id)
        #expect(Set(ids) == ["site-1", "site-2", "site-2345678902-", "site-de23456789-x49a19a4887"])
        let inspections = try temporary.field.inspections.all().records
        #expect(Set(inspections.map(\.site)) == ["site-1", "site-2345678902-"])
        #expect(try RecordImport(into: temporary.field).run(paths).addedForOffice == 0)
    }

    /// If a record never left the laptop, its deletion leaves nothing, not even a tombstone.
    @Test func whatWasDeletedBeforeItWasSentIsImportedAgain() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        _ = try RecordImport(into: temporary.field).run([temporary.path("in")])
        try temporary.field.sites.delete("site-2")
        _ = try RecordImport(into: temporary.field).run([temporary.path("in")])
        #expect(try temporary.field.sites.find("site-2") != nil)
    }

    @Test func aChangedRowUpdatesItsRecord() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        _ = try RecordImport(into: temporary.field).run([temporary.path("in")])
        let path = try temporary.file("businesses.csv", Self.sites.replacing("Mill", with: "Old mill"))
        #expect(
            counts(try RecordImport(into: temporary.field).run([path])) == [
                "sites 2: 0 added, 1 updated, 1 same, 0 kept"
            ])
        #expect(try temporary.field.sites.find("site-1")?.name == "Old mill")
    }

    /// With the same name, neither could be queried or changed without the other.
    @Test(arguments: ["score", "status", "site", "photos", "channels", "conflicts", "approvedPhotos", "schema"])
    func aQuestionIsNotCalledLikeAFieldOfEveryInspection(taken: String) throws {
        let temporary = try TemporaryField()
        let forms = [taken, "fridge"].map { name in
            FormDefinition(id: "form-\(name)", name: "Kitchen", fields: [FormField(name, label: "Value", kind: .whole)])
        }
        for form in forms { try temporary.field.forms.add(form, by: temporary.author) }
        _ = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .jsonl).run()
        let other = try TemporaryField()
        let report = try RecordImport(into: other.field).run([temporary.path("out/forms.jsonl")])
        #expect(report.notes.map(\.kind) == [.leftOut])
        let what = report.notes[0].what
        #expect(what.contains("fields[1].name must not be '\(taken)', which every inspection has"), "\(what)")
        #expect(what.contains("Give the question 'Value' another name, such as 'asked-\(taken)'"), "\(what)")
        #expect(try other.field.forms.all().records.map(\.id) == ["form-fridge"])
    }

    @Test func aSiteThatIsHereAlreadyGivesItsDistrict() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        _ = try RecordImport(into: temporary.field).run([temporary.path("in/businesses.csv")])
        let report = try RecordImport(into: temporary.field).run([temporary.path("in/inspections.csv")])
        #expect(report.notes.isEmpty)
        #expect(try temporary.field.inspections.all().records.map(\.district?.code) == ["70112"])
    }

    @Test func aMissingColumnLeavesTheDatabaseAsItWas() throws {
        let temporary = try TemporaryField()
        try prepare(temporary)
        _ = try temporary.file("in/violations.csv", "business_id,description\n1,Dirty\n")
        let error = #expect(throws: ImportError.self) {
            try RecordImport(into: temporary.field).run([temporary.path("in")])
        }
        #expect(error?.code == .missingColumns(["date"], present: ["business_id", "description"]))
        #expect(temporary.field.sites.count == 0)
    }

    @Test func aMissingFileOrAnEmptyFolderIsAnError() throws {
        let temporary = try TemporaryField()
        for path in ["nothing.csv", "laptop"] {
            #expect(throws: ImportError.self, "\(path)") {
                try RecordImport(into: temporary.field).run([temporary.path(path)])
            }
        }
    }

    @Test(arguments: [
        ("register-sites.csv", "business_id,address,city,state,postal_code\n", ["no column name"]),
        ("visits.csv", "score,date,type\n", ["no column business_id"]),
        ("prices.csv", "price,currency\n", ["no table that can be imported", "price, currency"]),
        ("photo.csv", "\u{1}\u{0}PNG", ["no text"]), ("people.jsonl", "{}", ["sites.jsonl"]),
    ])
    func aFileThatCannotBeImportedIsNamedWithTheReason(name: String, text: String, parts: [String]) throws {
        let temporary = try TemporaryField()
        let path = try temporary.file("in/\(name)", text)
        let error = #expect(throws: ImportError.self) { try RecordImport(into: temporary.field).run([path]) }
        let inFolder = #expect(throws: ImportError.self) {
            try RecordImport(into: temporary.field).run([temporary.path("in")])
        }
        for word in parts + [name] {
            #expect(error?.description.contains(word) == true, "\(word): \(String(describing: error))")
            #expect(inFolder?.description.contains(word) == true, "\(word): \(String(describing: inFolder))")
        }
    }

    /// The records of the first transactions stay, and the same import goes on from there.
    @Test func anImportThatIsStoppedSaysWhatIsStored() throws {
        let temporary = try TemporaryField()
        let rows = (1...2_500).map { "\($0),Mill \($0),,,,70112\n" }.joined()
        let path = try temporary.file("sites.csv", "business_id,name,address,city,state,postal_code\n" + rows)
        let error = #expect(throws: ImportInterruption.self) {
            try RecordImport(into: temporary.field) { _ in try? temporary.field.close() }.run([path])
        }
        #expect(error?.completed == 2_000 && error?.total == 2_500)
        #expect(error?.report.counts.map(\.added) == [2_000])
        #expect(error?.description.contains("2000 of 2500 records are stored: 2000 sites") == true)
        let again = try FieldDatabase(folder: temporary.field.folder, configuration: DatabaseConfiguration())
        defer { try? again.close() }
        let report = try RecordImport(into: again).run([path])
        #expect(counts(report) == ["sites 2500: 500 added, 0 updated, 2000 same, 0 kept"])
        #expect(again.sites.count == 2_500)
    }

    @Test func reportsOfTheSameMomentAreKeptBeside() throws {
        let temporary = try TemporaryField()
        let folder = temporary.field.folder
        let files = try (1...3).map { _ in try folder.keep(ImportReport(), at: temporary.author.moment) }
        #expect(Set(files).count == 3)
        #expect(files.last?.lastPathComponent.hasSuffix("-3.csv") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.reports.path).count == 3)
    }

    @Test func aRowWithANameThatIsTooLongIsLeftOut() throws {
        let temporary = try TemporaryField()
        let name = String(repeating: "é", count: 201)
        let path = try temporary.file(
            "sites.csv", "business_id,name,address,city,state,postal_code\n1,\(name),,,,70112\n2,Quay,,,,70112\n")
        let report = try RecordImport(into: temporary.field).run([path])
        #expect(report.counts.map(\.leftOut) == [1])
        #expect(report.notes.first?.what.hasPrefix("name must have at most 200 characters, but has 201") == true)
        #expect(temporary.field.sites.count == 1)
    }

    // MARK: Real input

    /// A city's published register: 59,638 rows. The report names every odd one.
    @Test(.enabled(if: CityRegister.folder != nil, Comment(rawValue: CityRegister.howToHaveIt)))
    func importsACitysRegister() throws {
        let folder = try #require(CityRegister.folder)
        let temporary = try TemporaryField()
        var steps: [ImportProgress] = []
        let report = try RecordImport(into: temporary.field) { steps.append($0) }.run([folder])
        #expect(
            counts(report) == [
                "sites 6399: 6399 added, 0 updated, 0 same, 0 kept",
                "inspections 14233: 14233 added, 0 updated, 0 same, 0 kept",
                "findings 39006: 39006 added, 0 updated, 0 same, 0 kept",
            ])
        let totals = Dictionary(uniqueKeysWithValues: report.totals.map { ($0.kind, $0.count) })
        #expect(totals[.bytesNotUTF8] == 7)
        #expect(totals[.sameSiteAndDay] == 3)
        #expect(totals[.findingWithoutInspection] == 932)
        #expect(totals[.postalCodeMissing] == 233)
        #expect(totals[.leftOut] == nil)
        #expect(steps.last?.completed == 59_638)
        let sites = try temporary.field.sites.all()
        #expect(sites.unreadable.isEmpty)
        #expect(sites.records.filter { $0.channels == ["district.94110"] }.count == 593)
        #expect(sites.records.first { $0.id == "site-75448" }?.name == "LAGUNA CAFÉ")
        let again = try RecordImport(into: temporary.field).run([folder])
        #expect(again.counts.map(\.unchanged) == [6399, 14_233, 39_006])
    }
}
