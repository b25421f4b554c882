import DocumentValues
import FormLogic
import Foundation
import Testing

@testable import FormExchange

/// The forms in `sample-data/forms`.
@Suite struct SampleFormsTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("sample-data/forms")

    @Test(arguments: ["kitchen_hygiene", "playground", "water_point"])
    func samplesAreRight(name: String) throws {
        let url = Self.folder.appendingPathComponent("\(name).yaml")
        let reading = FormYAML.read(try String(contentsOf: url, encoding: .utf8))
        #expect(FormChecker.findings(of: reading).shown.map(\.text) == [])
        #expect(reading.form.id == Name(name))
        #expect(reading.form.languages.count == 2 && !reading.form.version.isEmpty)
        #expect(FormYAML.read(FormYAML.write(reading.form)).form.digest == reading.form.digest)
        #expect(FormProgram(reading.form).problems.isEmpty)
    }

    @Test func everySampleIsTried() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.filter { $0.hasSuffix(".yaml") }.count == 3)
    }
}
