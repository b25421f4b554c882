import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// An export writes its records one by one, and keeps none of them in memory.
@Suite struct ExportedFilesTests {
    private static let day = CalendarDay(daysSince1970: 20_516)

    private static func inspection(_ number: Int) throws -> Inspection {
        var inspection = Inspection(
            id: "inspection-\(1_000 + number)", site: "site-1", date: day, district: try #require(District("hill")))
        inspection.notes = String(repeating: "dust and \"soot\"\n", count: 30)
        inspection.answers = JSONObject(members: [JSONObject.Member(key: "question-\(number / 1_000)", value: 7)])
        inspection.envelope.rest["later"] = ["version": 2]
        return inspection
    }

    /// Enough for several portions of a file.
    private static func filled(_ count: Int = 2_000) throws -> TemporaryField {
        let temporary = try TemporaryField()
        try temporary.field.collection(of: .inspection).save(
            bodies: (0..<count).map { number in
                let inspection = try inspection(number)
                return (inspection.id, inspection.object.bytes)
            })
        return temporary
    }

    private func bytes(in folder: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .reduce(0) { try $0 + Data(contentsOf: $1).count }
    }

    @Test func recordsAreOnTheDiskBeforeTheLastOneIsThere() throws {
        let temporary = try TemporaryField()
        let folder = ExportFolder(path: temporary.path("out"))
        try folder.make()
        let start = try bytes(in: folder.url)
        let lines = try ExportedLines(of: .inspection, in: folder)
        let table = try ExportedTable(
            of: InspectionColumns.all(answers: ["question-0"], others: true, [:]), in: folder)
        var written = 0
        for number in 0..<2_000 {
            let inspection = try Self.inspection(number)
            try lines.append(inspection)
            try table.append(inspection)
            written += inspection.identifiedObject.bytes.count
        }
        // What is not on the disk yet is less than a portion of each file.
        #expect(written > 3 * FieldRecordsLimits.filePortion)
        #expect(try bytes(in: folder.url) - start > written - FieldRecordsLimits.filePortion)
        #expect(try table.finish() == ExportReport.File(name: "inspections.csv", records: 2_000))
        #expect(try lines.finish() == ExportReport.File(name: "inspections.jsonl", records: 2_000))
    }

    @Test func linesAreReadAgainAsTheyWereWritten() throws {
        let temporary = try TemporaryField()
        let folder = ExportFolder(path: temporary.path("out"))
        try folder.make()
        let lines = try ExportedLines(of: .inspection, in: folder)
        for number in 0..<1_500 { try lines.append(Self.inspection(number)) }
        // More may be written behind it.
        for count in [1_500, 1_501] {
            var numbers: [Int] = []
            try lines.forEach { id, object in
                let expected = try Self.inspection(numbers.count)
                #expect(id == expected.id && object == expected.object)
                numbers.append(numbers.count)
            }
            #expect(numbers.count == count)
            try lines.append(Self.inspection(count))
        }
    }

    @Test(arguments: RecordExport.Format.allCases) func nothingIsLeftBesideTheFiles(format: RecordExport.Format) throws
    {
        let temporary = try Self.filled()
        let report = try RecordExport(of: temporary.field, to: temporary.path("out"), format: format).run()
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path("out"))
        #expect(names.sorted() == report.files.map(\.name).sorted())
        #expect(report.files.filter { $0.name.hasPrefix("inspections") }.allSatisfy { $0.records == 2_000 })
        guard format != .jsonl else { return }
        let table = CSVReader(Array(try Data(contentsOf: URL(fileURLWithPath: temporary.path("out/inspections.csv")))))
            .map(\.fields)
        // The columns are those of all records, also of the last one.
        #expect(table[0].contains("answer_question-0") && table[0].contains("answer_question-1"))
        #expect(table.dropFirst().map { $0[0] } == (0..<2_000).map { "inspection-\(1_000 + $0)" })
        let other = try #require(table[0].firstIndex(of: "other"))
        #expect(table.dropFirst().allSatisfy { $0[other] == #"{"later":{"version":2}}"# })
    }

    @Test func aFileThatIsNotFinishedIsNotThere() throws {
        let temporary = try TemporaryField()
        let url = URL(fileURLWithPath: temporary.path("secret.txt"))
        do {
            let file = try WholeFile(url)
            try file.write([1, 2, 3])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.root.path) == ["laptop"])
        let file = try WholeFile(url)
        for part in [[1, 2], [], [3]] as [[UInt8]] { try file.write(part) }
        var read: [UInt8] = []
        try file.read { read += $0 }
        try file.write([4])
        try file.finish()
        #expect(try read == [1, 2, 3] && Data(contentsOf: url) == Data([1, 2, 3, 4]))
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        #expect(mode == 0o600)
    }
}
