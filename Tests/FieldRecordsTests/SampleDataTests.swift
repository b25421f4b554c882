import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

/// The made-up town that the demo and the README walk through.
@Suite struct SampleDataTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("sample-data")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func everyRecordIsGoodAndRefersToOthersThatAreThere() throws {
        let temporary = try TemporaryField()
        let report = try RecordImport(into: temporary.field).run([Self.folder.path])
        #expect(report.notes.isEmpty)
        let sites = try temporary.field.sites.all().records
        let inspections = try temporary.field.inspections.all().records
        let findings = try temporary.field.findings.all().records
        let forms = try temporary.field.forms.all().records
        #expect(sites.count >= 60 && Set(sites.compactMap(\.district)).count == 4)
        #expect(forms.count == 3 && inspections.count == 240 && findings.count > 200)
        let siteIDs = Set(sites.map(\.id))
        #expect(inspections.allSatisfy { siteIDs.contains($0.site) })
        let inspectionIDs = Set(inspections.map(\.id))
        #expect(findings.allSatisfy { $0.inspection.map(inspectionIDs.contains) ?? true })
        for inspection in inspections {
            let form = try #require(forms.first { $0.id == inspection.form })
            #expect(FormCheck.problems(of: inspection.answers, in: form).isEmpty, "\(inspection.id)")
            #expect(FormCheck.missing(in: inspection.answers, of: form).isEmpty, "\(inspection.id)")
        }
    }

    @Test func thereAreTwelvePictures() throws {
        let photos = Self.folder.appendingPathComponent("photos")
        let names = try FileManager.default.contentsOfDirectory(atPath: photos.path)
        #expect(names.count == 12)
        for name in names {
            let bytes = Array(try Data(contentsOf: photos.appendingPathComponent(name)))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.suffix(8).starts(with: Array("IEND".utf8)))
        }
    }

    /// The administrator sends this file as the database's configuration, so the function must be the same in both, for the
    /// records of each collection.
    @Test func theConfigurationHoldsTheSyncFunction() throws {
        let configuration = try JSONValue(parsing: try text("database.json"))
        let function = try text("sync.js")
        for kind in RecordKind.allCases {
            let collection = configuration["scopes"]?[RecordKind.scope]?["collections"]?[kind.plural]
            let own = function.replacing("var kind = \"\";", with: "var kind = \"\(kind.rawValue)\";")
            #expect(own != function && collection?["sync"]?.stringValue == own)
        }
    }

    @Test(arguments: ["mara", "tomas", "ines", "office"]) func everyUserHasAccessToEveryCollection(name: String) throws
    {
        let user = try JSONValue(parsing: try text("users/\(name).json"))
        for kind in RecordKind.allCases {
            let access = user["collection_access"]?[RecordKind.scope]?[kind.plural]?["admin_channels"]?.arrayValue
            #expect(access?.isEmpty == false)
        }
    }
}
