import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Glibc
import Testing

@Suite struct RecordExportTests {
    /// A site with an inspection, a finding and two photos of the same name.
    private func fill(_ temporary: TemporaryField) throws {
        let field = temporary.field
        let hill = try #require(District("hill"))
        let day = try #require(CalendarDay("2026-03-04"))
        let address = Address(street: "1 Quay, \"back\"")
        try field.sites.add(
            Site(id: "site-1", name: "Café =Möwe/", address: address, district: hill), by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: hill)
        inspection.answers = ["fridge": 4.5, "clean": true]
        inspection.notes = "two\nlines"
        try field.inspections.add(inspection, by: temporary.author)
        try field.findings.add(
            Finding(
                id: "finding-1", inspection: "inspection-1", site: "site-1", date: day, text: "=HYPERLINK(1)",
                district: hill), by: temporary.author)
        let photo = try temporary.file("in/door.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
        try field.photos.attach(file: photo, toInspection: "inspection-1", caption: "Door", by: temporary.author)
        try field.photos.attach(
            file: try temporary.file("other/door.png", [0x89, 0x50, 2]), toFinding: "finding-1", caption: nil,
            by: temporary.author)
    }

    private func table(_ temporary: TemporaryField, _ name: String) throws -> [[String]] {
        let url = URL(fileURLWithPath: temporary.path("out/\(name).csv"))
        return CSVReader(Array(try Data(contentsOf: url))).map(\.fields)
    }

    @Test func tablesAreJoinedByIDs() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let report = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv).run()
        #expect(
            report.files.map(\.name) == [
                "attachments.csv", "sites.csv", "inspections.csv", "findings.csv", "forms.csv", "assignments.csv",
                "responses.csv",
            ])
        let inspections = try table(temporary, "inspections")
        #expect(
            inspections[0].prefix(13) == [
                "id", "site", "site_name", "date", "visit", "status", "inspector", "score", "form", "answer_fridge",
                "answer_clean", "notes", "photos",
            ])
        #expect(
            inspections[1].prefix(13) == [
                "inspection-1", "site-1", "Café =Möwe/", "2026-03-04", "routine", "draft", "", "", "", "4.5", "yes",
                "two\nlines", "attachments/2026-03-04-Café-Möwe/door.png",
            ])
        let findings = try table(temporary, "findings")
        #expect(findings[1][1] == "inspection-1" && findings[1][5] == "'=HYPERLINK(1)")
        #expect(findings[1][9] == "attachments/2026-03-04-Café-Möwe/door-2.png")
        #expect(try table(temporary, "sites")[1][2] == "1 Quay, \"back\"")
    }

    @Test func aFolderWithFilesInItIsRefused() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let mine = try temporary.file("out/sites.csv", "mine")
        let export = RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv)
        #expect(throws: ExportError.self) { try export.run() }
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: mine)
        _ = try export.run()
        #expect(throws: ExportError.self) { try export.run() }
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path("out"))
        #expect(!names.contains("UNFINISHED-EXPORT.txt"))
    }

    @Test func aFileIsNoFolder() throws {
        let temporary = try TemporaryField()
        let file = try temporary.file("out.jpg", "mine")
        let error = #expect(throws: ExportError.self) {
            try RecordExport(of: temporary.field, to: file, format: .csv).run()
        }
        #expect(error?.description.contains("out.jpg is a file. Name a folder.") == true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }

    /// The remains of a killed export do not pass as a complete one.
    @Test func anExportIsMarkedUntilItIsComplete() throws {
        let temporary = try TemporaryField()
        let folder = ExportFolder(path: temporary.path("out"))
        try folder.make()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["UNFINISHED-EXPORT.txt"])
        let error = #expect(throws: ExportError.self) {
            try RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv).run()
        }
        #expect(error?.description.contains("An export into it was not finished") == true)
        try folder.finish()
        _ = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv).run()
    }

    @Test func onlyTheOwnerMayReadWhatIsExported() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        _ = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .both).run()
        let all = FileManager.default.enumerator(atPath: temporary.path("out"))?.allObjects as? [String] ?? []
        #expect(all.count > 10)
        for name in [""] + all {
            let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path("out/\(name)"))
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            #expect(mode & 0o077 == 0, "\(name)")
        }
    }

    /// The gateway would refuse the attachment, and the inspection with it.
    @Test func anAttachmentThatNoGatewayTakesIsRefused() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let path = try temporary.file("film.mp4", "film")
        try #require(truncate(path, 20 * 1024 * 1024 + 1) == 0)
        // A link has the size of its target, and a device has no end.
        let links = [("link.mp4", path), ("zero.mp4", "/dev/zero")].map { name, target in
            (temporary.path(name), target)
        }
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        for (file, reason) in [
            (path, "than the 20 MB"), (links[0].0, "than the 20 MB"), (links[1].0, "no regular file"),
        ] {
            let error = #expect(throws: RecordActionError.self) {
                try temporary.field.photos.attach(
                    file: file, toInspection: "inspection-1", caption: nil, by: temporary.author)
            }
            #expect(error?.description.contains(reason) == true, "\(file)")
        }
    }

    @Test func photosLieThereUnderTheirNames() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        let report = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .jsonl).run()
        #expect(report.attachments == 2 && report.missingAttachments.isEmpty)
        let rows = try table(temporary, "attachments")
        #expect(rows.map { $0[3] } == ["name", "door.png", "door.png"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: temporary.path("out/\(rows[2][0])")))
        #expect(Array(bytes) == [0x89, 0x50, 2])
    }

    @Test func aPhotoThatIsNotHereYetIsNamed() throws {
        let temporary = try TemporaryField()
        let day = try #require(CalendarDay("2026-03-04"))
        var inspection = Inspection(id: "inspection-1", site: "s", date: day, district: .unknown)
        inspection.photos = [Photo(name: "far.png", blob: BlobMetadata(digest: BlobDigest(of: [9])))]
        try temporary.field.collection(of: .inspection).save(bodies: [("inspection-1", inspection.body)])
        let report = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv).run()
        #expect(report.missingAttachments == ["inspection-1: far.png"])
    }

    /// An export as lines makes the same records elsewhere, with their photos, and changes nothing when it is imported
    /// here.
    @Test func linesAreImportedAsTheyWereExported() throws {
        let first = try TemporaryField(), second = try TemporaryField()
        try fill(first)
        _ = try RecordExport(of: first.field, to: first.path("out"), format: .jsonl).run()
        let there = try RecordImport(into: second.field).run([first.path("out")])
        #expect(there.notes.isEmpty)
        #expect(there.counts.map(\.added).reduce(0, +) == 3)
        #expect(try second.field.inspections.all().records == first.field.inspections.all().records)
        #expect(try second.field.findings.all().records == first.field.findings.all().records)
        let digest = try #require(try second.field.inspections.all().records[0].photos.first?.blob.digest)
        #expect(try second.field.database.blobStorage().contains(digest))
        let here = try RecordImport(into: first.field).run([first.path("out")])
        #expect(here.counts.map(\.unchanged).reduce(0, +) == 3)
    }

    /// Two laptops have the same register. A record that one of them has edited since differs from its row.
    @Test func editsOfAnImportedRowAreTakenOver() throws {
        let (from, to) = (try TemporaryField(), try TemporaryField())
        let register = "business_id,name,address,city,state,postal_code\n1,Mill,,,,\n2,Quay,,,,\n3,Dam,,,,\n"
        for laptop in [from, to] {
            _ = try RecordImport(into: laptop.field).run([try laptop.file("businesses.csv", register)])
        }
        try from.field.sites.update("site-1", by: from.author) { $0.notes = "door at the back" }
        try from.field.sites.update("site-2", by: from.author) { $0.notes = "closed" }
        try to.field.sites.update("site-2", by: to.author) { $0.notes = "open" }
        try to.field.sites.update("site-3", by: to.author) { $0.notes = "steep" }
        let folder = from.path("export")
        _ = try RecordExport(of: from.field, to: folder, format: .jsonl).run()
        let report = try RecordImport(into: to.field).run([folder])
        let counts = try #require(report.counts.first { $0.records == "sites" })
        #expect(counts.updated == 1 && counts.unchanged == 1 && counts.kept == 1)
        let kept: [String] = report.notes.filter { $0.kind == .changedHere }.compactMap(\.record)
        #expect(kept == ["site-2"])
        for (id, notes) in [("site-1", "door at the back"), ("site-2", "open"), ("site-3", "steep")] {
            #expect(try to.field.sites.find(id)?.notes == notes)
        }
    }

    /// A record counts as new once, and its last line wins; across batches, too.
    @Test(arguments: [3, 2_500]) func aRecordThatComesAgainIsNewOnce(count: Int) throws {
        let temporary = try TemporaryField()
        func line(_ name: String) -> String {
            #"{"_id":"site-1","name":"\#(name)","district":"hill","channels":["district.hill"],"#
                + #""changedAt":"2026-03-04T10:00:00Z"}"#
        }
        let lines = Array(repeating: line("Mill"), count: count - 1) + [line("New mill")]
        let file = try temporary.file("sites.jsonl", lines.joined(separator: "\n"))
        let count = try #require(try RecordImport(into: temporary.field).run([file]).counts.first)
        #expect(count.added == 1 && count.updated == 1 && count.unchanged == lines.count - 2 && count.kept == 0)
        #expect(count.rows == lines.count)
        #expect(try temporary.field.sites.find("site-1")?.name == "New mill" && temporary.field.sites.count == 1)
    }

    @Test func linesThatAreNoRecordsAreNamed() throws {
        let temporary = try TemporaryField()
        let lines = """
            {"_id":"site-1","name":"Mill","district":"hill","channels":["district.hill"]}
            {"name":"No id"}
            not JSON

            {"_id":"site-2","name":7,"district":"hill","channels":["district.hill"]}
            """
        let report = try RecordImport(into: temporary.field).run([try temporary.file("sites.jsonl", lines)])
        #expect(report.notes.map(\.line) == [2, 3, 5])
        #expect(report.notes[0].what == #"it has no _id: {"name":"No id"}"#)
        #expect(report.notes[2].what.hasPrefix("name must be text, but is 7: "))
        #expect(temporary.field.sites.count == 1)
    }

    @Test func anExportWithATamperedPhotoIsNoticed() throws {
        let first = try TemporaryField(), second = try TemporaryField()
        try fill(first)
        _ = try RecordExport(of: first.field, to: first.path("out"), format: .jsonl).run()
        _ = try first.file("out/attachments/2026-03-04-Café-Möwe/door.png", "other bytes")
        let report = try RecordImport(into: second.field).run([first.path("out")])
        let left = report.notes.filter { $0.kind == .leftOut }
        #expect(left.count == 1 && left[0].what.contains("as the record says"))
    }

    /// For a folder from another person: no file outside of it is attached, and no endless one is read.
    @Test(arguments: ["link", "pipe", "folder"]) func whatIsNoPlainFileIsNoPhoto(kind: String) throws {
        let first = try TemporaryField(), second = try TemporaryField()
        try fill(first)
        _ = try RecordExport(of: first.field, to: first.path("out"), format: .jsonl).run()
        let photo = first.path("out/attachments/2026-03-04-Café-Möwe/door.png")
        let elsewhere = first.path("door.png")
        try FileManager.default.moveItem(atPath: photo, toPath: elsewhere)
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: photo, withDestinationPath: elsewhere)
        case "pipe": #expect(mkfifo(photo, 0o600) == 0)
        default: try FileManager.default.createDirectory(atPath: photo, withIntermediateDirectories: false)
        }
        let report = try RecordImport(into: second.field).run([first.path("out")])
        #expect(report.notes.filter { $0.kind == .leftOut }.count == 1)
    }

    /// Its table neither blocks the import nor takes endless memory; records without photos are imported.
    @Test(arguments: [("link", "no plain file"), ("pipe", "no plain file"), ("large", "more than 64 MB")])
    func aFolderWithoutAPlainTableHasNoPhotos(kind: String, reason: String) throws {
        let first = try TemporaryField(), second = try TemporaryField()
        try fill(first)
        _ = try RecordExport(of: first.field, to: first.path("out"), format: .jsonl).run()
        let table = first.path("out/attachments.csv")
        let elsewhere = first.path("attachments.csv")
        try FileManager.default.moveItem(atPath: table, toPath: elsewhere)
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: table, withDestinationPath: elsewhere)
        case "pipe": #expect(mkfifo(table, 0o600) == 0)
        default:
            _ = try first.file("out/attachments.csv", "file,digest\n")
            try #require(truncate(table, FieldRecordsLimits.attachmentIndex + 1) == 0)
        }
        let report = try RecordImport(into: second.field).run([first.path("out")])
        let left = report.notes.filter { $0.kind == .leftOut }
        #expect(left.count == 2)
        #expect(left.allSatisfy { $0.what.contains("attachments.csv cannot be read: it ") && $0.what.contains(reason) })
        #expect(second.field.sites.count == 1)
    }

    /// A link has a size of its own.
    @Test(arguments: [true, false]) func whatIsTooLargeIsNotImported(isLink: Bool) throws {
        let temporary = try TemporaryField()
        let file = try temporary.file("large.bin", "business_id,name\n")
        try #require(truncate(file, FieldRecordsLimits.importFile + 1) == 0)
        let path = isLink ? temporary.path("sites.csv") : file
        if isLink { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: file) }
        let error = #expect(throws: ImportError.self) { try RecordImport(into: temporary.field).run([path]) }
        #expect(error?.code == .tooLarge)
    }

    /// The form in which `fieldbook db put --lines` takes documents.
    @Test func aLineHasItsIDInFront() throws {
        let temporary = try TemporaryField()
        try fill(temporary)
        _ = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .jsonl).run()
        let text = try String(contentsOfFile: temporary.path("out/sites.jsonl"), encoding: .utf8)
        #expect(text.hasPrefix(#"{"_id":"site-1","type":"site","#) && text.hasSuffix("}\n"))
    }
}
