import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// The files of an export are imported again.
@Suite struct ExportedTableTests {
    private static let hill = District("hill")

    /// Fills a folder with texts that a spreadsheet would take for formulas, lines, quotation marks and look-alikes,
    /// and with answers of each kind.
    private func fill(_ temporary: TemporaryField) throws {
        let field = temporary.field
        let hill = try #require(Self.hill)
        let day = try #require(CalendarDay("2026-03-04"))
        var site = Site(
            id: "site-1", name: "Cafe\u{301} \"Möwe\"; =Bar",
            address: Address(street: "=1+1", city: " Amble", postalCode: "00123"), district: hill)
        site.location = Coordinates(latitude: 47.25, longitude: -3.5)
        site.phone = "+1 415 555"
        try field.sites.add(site, by: temporary.author)
        try field.sites.add(
            Site(id: "site-2", name: "'=quoted", address: Address(), district: hill), by: temporary.author)
        var form = FormDefinition(
            id: "form-1", name: "Kitchen",
            fields: [
                FormField("clean", label: "Clean", kind: .yesNo), FormField("code", label: "Code", kind: .text),
                FormField("fridge", label: "°C", kind: .number),
            ])
        form.version = 2
        try field.forms.add(form, by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, visit: .followUp, district: hill)
        inspection.form = "form-1"
        inspection.answers = ["clean": false, "code": "007", "fridge": 4.5]
        inspection.score = 81
        inspection.notes = "two\nlines, and a comma"
        inspection.assignment = "assignment-1"
        try field.inspections.add(inspection, by: temporary.author)
        _ = try field.lifeCycle.submit("inspection-1", by: temporary.author)
        var finding = Finding(
            id: "finding-1", inspection: "inspection-1", site: "site-1", date: day, text: "@SUM(1)", district: hill)
        finding.risk = .high
        try field.findings.add(finding, by: temporary.author)
        var assignment = Assignment(id: "assignment-1", inspector: "mara", site: "site-1", due: day, district: hill)
        assignment.instructions = "- look twice"
        assignment.inspection = "inspection-1"
        try field.assignments.add(assignment, by: temporary.author)
        try field.responses.add(response, by: temporary.author)
    }

    private var response: Response {
        var response = Response(
            id: "response-1", form: "visit", version: "2", instanceID: "uuid:8c6a", district: Self.hill)
        response.instanceName = "=Hut"
        response.site = "site-1"
        response.answers = ["who": "a, \"b\"", "age": 42, "point": [["@key": "k3m9x2pq", "depth": 4.5]]]
        response.skipped = ["/data/when"]
        return response
    }

    private func objects(_ temporary: TemporaryField) throws -> [String: JSONObject] {
        var objects: [String: JSONObject] = [:]
        for record in try temporary.field.sites.all().records { objects[record.id] = record.object }
        for record in try temporary.field.inspections.all().records { objects[record.id] = record.object }
        for record in try temporary.field.findings.all().records { objects[record.id] = record.object }
        for record in try temporary.field.assignments.all().records { objects[record.id] = record.object }
        for record in try temporary.field.responses.all().records { objects[record.id] = record.object }
        return objects
    }

    private func export(_ temporary: TemporaryField, _ format: RecordExport.Format = .csv) throws -> String {
        let path = temporary.path("out-\(UUID().uuidString)")
        _ = try RecordExport(of: temporary.field, to: path, format: format).run()
        return path
    }

    private func tables(_ folder: String) -> [String] {
        ["sites", "inspections", "findings", "assignments", "responses"].map { "\(folder)/\($0).csv" }
    }

    @Test(arguments: [RecordExport.Format.csv, .jsonl, .both])
    func anExportChangesNothingWhereItComesFrom(format: RecordExport.Format) throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let before = try objects(temporary)
        let folder = try export(temporary, format)
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([folder])
        #expect(try objects(temporary) == before)
        for count in report.counts { #expect(count.unchanged == count.rows && count.rows > 0, "\(count)") }
        #expect(report.notes.allSatisfy { $0.kind == .fileIgnored }, "\(report.notes)")
    }

    /// A correction of a street in a spreadsheet must not change a telephone number.
    @Test(arguments: ["14153625925", "1.41536E+10", "1.7E+10"])
    func whatASpreadsheetDoesToNumbersChangesNothing(saved: String) throws {
        let temporary = try TemporaryField()
        let hill = try #require(Self.hill)
        var site = Site(
            id: "site-1", name: "Mill", address: Address(street: "1 Quay", postalCode: "00123"), district: hill)
        site.phone = "+14153625925"
        try temporary.field.sites.add(site, by: temporary.author)
        let folder = try export(temporary)
        let file = "\(folder)/sites.csv"
        let table = try String(contentsOfFile: file, encoding: .utf8)
            .replacing("+14153625925", with: saved).replacing("00123", with: "123").replacing("1 Quay", with: "2 Quay")
        try Data(table.utf8).write(to: URL(fileURLWithPath: file))
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        let present = try #require(try temporary.field.sites.find("site-1"))
        #expect(present.phone == "+14153625925" && present.address.postalCode == "00123")
        #expect(present.address.street == "2 Quay")
        // Another number is not a form of this one, and must not be taken for it.
        let isOther = saved == "1.7E+10"
        #expect(report.notes.contains { $0.kind == .valueOdd } == isOther, "\(report.notes)")
        let other = try TemporaryField()
        let added = try RecordImport(into: other.field, by: other.author).run([file])
        let isCut = saved.contains("E+")
        #expect(try other.field.sites.find("site-1")?.phone == (isCut ? nil : saved))
        #expect(added.notes.contains { $0.kind == .valueOdd } == isCut, "\(added.notes)")
    }

    /// A form may ask for a telephone number, or for how much something weighs.
    @Test(arguments: [true, false]) func answersThatASpreadsheetHasCutShortAreLeftOut(hasForm: Bool) throws {
        let temporary = try TemporaryField()
        let hill = try #require(Self.hill)
        let day = try #require(CalendarDay("2026-03-05"))
        let form = FormDefinition(
            id: "form-1", name: "Form",
            fields: [FormField("phone", label: "Phone", kind: .text), FormField("mass", label: "Mass", kind: .number)],
            district: hill)
        try temporary.field.sites.add(
            Site(id: "site-1", name: "Mill", address: Address(), district: hill), by: temporary.author)
        try temporary.field.forms.add(form, by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, visit: .routine, district: hill)
        inspection.form = "form-1"
        inspection.answers = ["phone": "+4915112345678", "mass": .number(JSONNumber(5.5))]
        try temporary.field.inspections.add(inspection, by: temporary.author)
        let file = "\(try export(temporary))/inspections.csv"
        let table = try String(contentsOfFile: file, encoding: .utf8)
            .replacing("+4915112345678", with: "4.91511E+12").replacing("5.5", with: "5.97E+24")
        try Data(table.utf8).write(to: URL(fileURLWithPath: file))
        let other = try TemporaryField()
        if hasForm { try other.field.forms.add(form, by: other.author) }
        let report = try RecordImport(into: other.field, by: other.author).run([file])
        let answers = try #require(try other.field.inspections.find("inspection-1")).answers
        #expect(answers["phone"] == nil && (answers["mass"] != nil) == hasForm, "\(answers)")
        #expect(report.notes.contains { $0.kind == .valueOdd && $0.column == "answer_phone" }, "\(report.notes)")
    }

    /// A colleague's program may have written thousands of answers of its own.
    @Test func answersWithoutAColumnComeBackToo() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let hill = try #require(Self.hill)
        let day = try #require(CalendarDay("2026-03-05"))
        var odd = Inspection(id: "inspection-2", site: "site-1", date: day, visit: .routine, district: hill)
        odd.answers = JSONObject(members: (0..<700).map { JSONObject.Member(key: "own\($0)", value: .int($0)) })
        try temporary.field.inspections.add(odd, by: temporary.author)
        let before = try objects(temporary)
        let folder = try export(temporary)
        let table = try String(contentsOfFile: "\(folder)/inspections.csv", encoding: .utf8)
        let names = table.prefix { $0 != "\r\n" }.components(separatedBy: ",")
        #expect(names.count < 530 && names.contains("other_answers") && names.contains("answer_own0"))

        let report = try RecordImport(into: temporary.field, by: temporary.author).run([folder])
        #expect(try objects(temporary) == before)
        #expect(report.notes.allSatisfy { $0.kind == .fileIgnored }, "\(report.notes)")
        let other = try TemporaryField()
        _ = try RecordImport(into: other.field, by: other.author).run([folder])
        let answers = try #require(try other.field.inspections.find("inspection-2")?.answers)
        #expect(answers.count == 700 && answers["own699"] == 699)
    }

    /// An import of an export does not answer questions that no user has answered.
    @Test func aVisitThatNobodySaidStaysOpen() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let day = try #require(CalendarDay("2026-03-05"))
        var open = Inspection(id: "inspection-2", site: "site-1", date: day, district: try #require(Self.hill))
        open.statedVisit = nil
        try temporary.field.inspections.add(open, by: temporary.author)
        let other = try TemporaryField()
        for target in [temporary, other] {
            _ = try RecordImport(into: target.field, by: target.author).run([try export(temporary)])
            #expect(try target.field.inspections.find("inspection-2")?.isVisitOpen == true)
            #expect(try target.field.inspections.find("inspection-1")?.statedVisit == .followUp)
        }
    }

    /// A newer program has reasons of a visit that this one does not know.
    @Test func aVisitThatCannotBeReadIsExportedAsItIs() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let collection = temporary.field.collection(of: .inspection)
        var body = try #require(try collection.document(id: "inspection-1")?.body)
        body["visit"] = "inquiry"
        try collection.save(bodies: [("inspection-1", body.bytes)])
        let folder = try export(temporary)
        let table = try String(contentsOfFile: "\(folder)/inspections.csv", encoding: .utf8)
        #expect(table.contains(",inquiry,") && !table.contains(",routine,"), "\(table)")
        _ = try RecordImport(into: temporary.field, by: temporary.author).run([folder])
        let inspection = try #require(try temporary.field.inspections.find("inspection-1"))
        #expect(inspection.object["visit"] == "inquiry" && inspection.visitLabel == "inquiry")
        #expect(ListedInspection(inspection).visit == "inquiry")
        // A folder without the record takes only values that this program knows, and names the others.
        let other = try TemporaryField()
        let report = try RecordImport(into: other.field, by: other.author).run([folder])
        #expect(report.notes.contains { $0.kind == .leftOut && $0.column == "visit" }, "\(report.notes)")
    }

    /// A merge and other programs write the members of a record in an order of their own.
    @Test(arguments: [RecordExport.Format.csv, .jsonl, .both])
    func theOrderOfMembersDoesNotCount(format: RecordExport.Format) throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let stored = try turnedAround(.inspection, "inspection-1", temporary)
        let folder = try export(temporary, format)
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([folder])
        for count in report.counts { #expect(count.unchanged == count.rows && count.rows > 0, "\(count)") }
        #expect(try temporary.field.collection(of: .inspection).bodies(of: ["inspection-1"])[0]?.body == stored)
    }

    @Test func aSpreadsheetChangesARecordThatAMergeWrote() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        _ = try turnedAround(.site, "site-1", temporary)
        let file = try export(temporary) + "/sites.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing("555", with: "777")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        #expect(report.counts.map(\.updated) == [1] && report.notes.isEmpty, "\(report.notes)")
        #expect(try temporary.field.sites.find("site-1")?.phone == "+1 415 777")
    }

    /// A change of the site in a spreadsheet also moves the findings, and both into the site's district.
    @Test(arguments: [true, false]) func anInspectionOfAnotherSiteTakesItsFindingsAlong(isPreview: Bool) throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let field = temporary.field
        let mill = try #require(District("mill"))
        try field.sites.add(Site(id: "site-3", name: "Mill", address: Address(), district: mill), by: temporary.author)
        _ = try field.lifeCycle.sendBack("inspection-1", because: "again", by: temporary.author)
        let file = try export(temporary) + "/inspections.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing("site-1", with: "site-3")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var options = ImportOptions()
        options.isPreview = isPreview
        let report = try RecordImport(into: field, by: temporary.author, options: options).run([file])
        #expect(report.notes.map(\.kind) == [.inspectionMoved] && report.notes[0].outcome == "its finding goes along")
        let inspection = try #require(try field.inspections.find("inspection-1"))
        let finding = try #require(try field.findings.find("finding-1"))
        #expect([inspection.site, finding.site] == (isPreview ? ["site-1", "site-1"] : ["site-3", "site-3"]))
        let channel = isPreview ? "district.hill" : "district.mill"
        #expect(inspection.envelope.channels == [channel] && finding.envelope.channels == [channel])
    }

    private func turnedAround(_ kind: RecordKind, _ id: String, _ temporary: TemporaryField) throws -> [UInt8] {
        let collection = temporary.field.collection(of: kind)
        let body = try #require(try collection.document(id: id)?.body)
        let bytes = JSONObject(members: body.members.reversed()).bytes
        try collection.save(bodies: [(id, bytes)])
        return bytes
    }

    @Test func tablesGiveTheSameRecordsElsewhere() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        try fill(first)
        let folder = try export(first, .both)
        // The lines include the form; with it, an answer that looks like a number is a text as before.
        _ = try RecordImport(into: second.field).run([folder + "/forms.jsonl"])
        let report = try RecordImport(into: second.field).run(tables(folder))
        #expect(report.notes.isEmpty, "\(report.notes)")
        #expect(try objects(second) == objects(first))
        let again = try RecordImport(into: second.field).run(tables(folder))
        #expect(again.counts.allSatisfy { $0.unchanged == $0.rows })
        #expect(second.field.sites.count == 2)
    }

    /// Without the forms, tables do not show the type of an answer: it is taken for what it looks like, and the report
    /// names it.
    @Test func answersWithoutTheirFormAreNamed() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        try fill(first)
        try first.field.inspections.update("inspection-1", by: first.author) { $0.answers["code"] = "7" }
        let folder = try export(first)
        let report = try RecordImport(into: second.field).run([folder])
        let inspection = try #require(try second.field.inspections.find("inspection-1"))
        #expect(inspection.answers == ["clean": false, "code": 7, "fridge": 4.5])
        #expect(report.notes.map(\.kind) == [.valueOdd, .fileIgnored])
        #expect(report.notes.first?.position == "inspections.csv:2, column 'answer_clean'")
        // With the lines of the forms beside them it is a text again, in the same import.
        let third = try TemporaryField()
        let forms = try export(first, .jsonl) + "/forms.jsonl"
        let whole = try RecordImport(into: third.field).run(tables(folder) + [forms])
        #expect(try third.field.inspections.find("inspection-1")?.answers["code"] == "7")
        #expect(whole.notes.isEmpty, "\(whole.notes)")
    }

    /// Members of a later version are imported, also those inside an address; a document's reserved members are not.
    @Test func membersOfALaterVersionComeAlong() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        try fill(first)
        try first.field.sites.update("site-1", by: first.author) { site in
            site.envelope.rest["owner"] = ["name": "Ines"]
            site.address.rest["floor"] = 3
            site.location?.rest["accuracy"] = 4.5
        }
        let folder = try export(first)
        _ = try RecordImport(into: second.field).run([folder + "/sites.csv"])
        #expect(try second.field.sites.find("site-1") == first.field.sites.find("site-1"))
        let text = try String(contentsOfFile: folder + "/sites.csv", encoding: .utf8)
            .replacing("\"owner\"", with: "\"_deleted\"").replacing("site-1", with: "site-9")
        #expect(text.contains("_deleted"))
        _ = try RecordImport(into: second.field).run([try second.file("sites.csv", text)])
        #expect(try second.field.sites.find("site-9")?.envelope.rest["_deleted"] == nil)
    }

    @Test func membersOfALaterVersionAreMerged() throws {
        var object: JSONObject = ["member-0": ["a": 1], "name": "Mill"]
        try CellReading.members.put(#"{"member-0":1,"member-1":1}"#, into: &object)
        #expect(object == ["member-0": 1, "name": "Mill", "member-1": 1])
        try CellReading.members.put(#"{"owner":{"a":1}}"#, into: &object)
        try CellReading.members.put(#"{"owner":{"b":2}}"#, into: &object)
        #expect(object["owner"] == ["a": 1, "b": 2])
    }

    /// Photos are no part of a table: the report names each record that came without its own.
    @Test func photosThatATableCannotCarryAreNamed() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        try fill(first)
        let photo = try first.file("door.jpg", "not really a picture")
        _ = try first.field.lifeCycle.sendBack("inspection-1", because: "A photo is missing.", by: first.author)
        _ = try first.field.photos.attach(file: photo, toFinding: "finding-1", caption: nil, by: first.author)
        let folder = try export(first)
        let report = try RecordImport(into: second.field).run([folder + "/findings.csv"])
        #expect(report.notes.map(\.kind) == [.notFromTable] && report.notes.map(\.column) == ["photos"])
        #expect(report.notes.first?.record == "finding-1" && report.counts.map(\.added) == [1])
        var expected = try #require(try first.field.findings.find("finding-1"))
        expected.photos = []
        #expect(try second.field.findings.find("finding-1") == expected)
    }

    /// Changed in a spreadsheet, and imported again.
    @Test func aChangedCellIsTakenOver() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let folder = try export(temporary)
        let path = folder + "/sites.csv"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("+1 415 555", with: "+44 20")
        let colleague = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_700_000))
        let report = try RecordImport(into: temporary.field, by: colleague).run([try temporary.file("sites.csv", text)])
        #expect(report.counts.map(\.updated) == [1] && report.counts.map(\.unchanged) == [1] && report.notes.isEmpty)
        let site = try #require(try temporary.field.sites.find("site-1"))
        #expect(site.phone == "+44 20" && site.name == "Cafe\u{301} \"Möwe\"; =Bar")
        #expect(site.envelope.changedBy == "ines" && site.envelope.createdBy == "mara")
        // Yesterday's table does not undo changes that were made since.
        let old = try RecordImport(into: temporary.field, by: colleague).run([path])
        #expect(old.counts.map(\.kept) == [1] && old.notes.map(\.kind) == [.changedHere])
        #expect(try temporary.field.sites.find("site-1")?.phone == "+44 20")
    }

    @Test func stepsAndStampsAreNotTakenFromATable() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let folder = try export(temporary)
        let path = folder + "/inspections.csv"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing("submitted", with: "approved")
            .replacing("approved_at", with: "submitted_at")
        let report = try RecordImport(into: temporary.field).run([try temporary.file("inspections.csv", text)])
        #expect(try temporary.field.inspections.find("inspection-1")?.status == .submitted)
        #expect(report.notes.map(\.kind) == [.notFromTable] && report.notes.map(\.column) == ["status"])
    }

    /// An inspection that was handed in cannot be edited, not even by a table.
    @Test func aTableChangesOnlyInspectionsThatAreOpen() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let text = try String(contentsOfFile: try export(temporary) + "/inspections.csv", encoding: .utf8)
            .replacing(",81,", with: ",82,")
        let path = try temporary.file("inspections.csv", text)
        let closed = try RecordImport(into: temporary.field).run([path])
        #expect(try temporary.field.inspections.find("inspection-1")?.score == 81)
        #expect(closed.notes.map(\.kind) == [.notFromTable] && closed.notes.map(\.column) == ["score"])
        try temporary.field.lifeCycle.sendBack("inspection-1", because: "again", by: temporary.author)
        let again = try String(contentsOfFile: try export(temporary) + "/inspections.csv", encoding: .utf8)
            .replacing(",81,", with: ",82,")
        let open = try RecordImport(into: temporary.field).run([try temporary.file("inspections.csv", again)])
        #expect(try temporary.field.inspections.find("inspection-1")?.score == 82 && open.notes.isEmpty)
    }

    @Test func anEmptiedCellTakesItsMemberAway() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        try temporary.field.lifeCycle.sendBack("inspection-1", because: "again", by: temporary.author)
        let text = try String(contentsOfFile: try export(temporary) + "/inspections.csv", encoding: .utf8)
            .replacing(",4.5,", with: ",,").replacing(",81,", with: ",,")
        let report = try RecordImport(into: temporary.field).run([try temporary.file("inspections.csv", text)])
        let inspection = try #require(try temporary.field.inspections.find("inspection-1"))
        #expect(inspection.answers == ["clean": false, "code": "007"] && inspection.score == nil)
        #expect(report.counts.map(\.updated) == [1] && report.notes.isEmpty, "\(report.notes)")
    }

    @Test func recordsOfTwoKindsMayHaveTheSameID() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        let hill = try #require(Self.hill), day = try #require(CalendarDay("2026-03-04"))
        try first.field.sites.add(Site(id: "1", name: "Mill", address: Address(), district: hill), by: first.author)
        try first.field.assignments.add(
            Assignment(id: "1", inspector: "mara", site: "1", due: day, district: hill), by: first.author)
        let folder = try export(first)
        let report = try RecordImport(into: second.field).run([folder + "/sites.csv", folder + "/assignments.csv"])
        #expect(report.counts.map(\.added) == [1, 1] && report.notes.isEmpty, "\(report.notes)")
    }

    @Test func aBrokenCellIsNamed() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        try temporary.field.lifeCycle.sendBack("inspection-1", because: "again", by: temporary.author)
        let before = try objects(temporary)
        let folder = try export(temporary)
        let text = try String(contentsOfFile: folder + "/inspections.csv", encoding: .utf8)
            .replacing(",81,", with: ",very good,")
        let report = try RecordImport(into: temporary.field).run([try temporary.file("inspections.csv", text)])
        #expect(report.counts.map(\.leftOut) == [1])
        let note = try #require(report.notes.first)
        #expect(note.position == "inspections.csv:2, column 'score'" && note.what.hasPrefix("'very good' is no number"))
        #expect(try objects(temporary) == before)
    }

    @Test func aTableOfFormsNamesTheLines() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let folder = try export(temporary)
        let error = #expect(throws: ImportError.self) {
            try RecordImport(into: temporary.field).run([folder + "/forms.csv"])
        }
        #expect(error?.description.contains("forms.jsonl") == true, "\(String(describing: error))")
    }

    /// A finding is part of its inspection: it is at the inspection's site, and cannot be changed once the inspection
    /// is handed in.
    @Test(arguments: [
        ("inspection-1", "site-1", "site-2", true, "not what the record has"),
        ("inspection-1", "site-1", "site-2", false, "its inspection is of the site site-1"),
        ("inspection-2", "inspection-2", "inspection-1", true, "takes no finding"),
    ]) func aFindingStaysWithItsInspection(
        of inspection: String, old: String, new: String, isHandedIn: Bool, note: String
    ) throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let field = temporary.field
        let day = try #require(CalendarDay("2026-03-05"))
        try field.inspections.add(
            Inspection(id: "inspection-2", site: "site-1", date: day, district: try #require(Self.hill)),
            by: temporary.author)
        if !isHandedIn { _ = try field.lifeCycle.sendBack("inspection-1", because: "again", by: temporary.author) }
        if inspection == "inspection-2" {
            var object = try #require(try field.findings.find("finding-1")).object
            object["inspection"] = "inspection-2"
            try field.findings.collection.save(bodies: [("finding-1", object.bytes)])
        }
        let file = try export(temporary) + "/findings.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing(old, with: new).utf8).write(to: URL(fileURLWithPath: file))
        let before = try objects(temporary)
        let report = try RecordImport(into: field, by: temporary.author).run([file])
        #expect(try objects(temporary) == before)
        #expect(report.notes.map(\.what).contains { $0.contains(note) }, "\(report.notes)")
    }

    /// A finding is often fixed later.
    @Test func whenAFindingWasFixedIsTakenAtAnyTime() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        try temporary.field.findings.update("finding-1", by: temporary.author) {
            $0.corrected = CalendarDay("2026-03-05")
        }
        let file = try export(temporary) + "/findings.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing("2026-03-05", with: "2026-03-06").utf8).write(to: URL(fileURLWithPath: file))
        _ = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        #expect(try temporary.field.findings.find("finding-1")?.corrected == CalendarDay("2026-03-06"))
    }

    /// Only the differences of a register are of interest.
    @Test func aPreviewShowsWhatWouldChange() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let file = try export(temporary) + "/sites.csv"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing("555", with: "777")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var options = ImportOptions()
        options.isPreview = true
        let report = try RecordImport(into: temporary.field, by: temporary.author, options: options).run([file])
        #expect(
            report.samples.map(\.id) == ["site-1"] && report.samples[0].changes == ["phone +1 415 555 → +1 415 777"])
    }
}
