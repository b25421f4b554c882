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

    /// Exported and imported again, it is the same form.
    @Test(arguments: ["kitchen_hygiene", "playground", "water_point"])
    func samplesComeBackFromSheets(name: String) throws {
        let url = Self.folder.appendingPathComponent("\(name).yaml")
        let form = FormYAML.read(try String(contentsOf: url, encoding: .utf8)).form
        let export = SheetExport(form)
        #expect(export.losses.isEmpty)
        let book = try XLSXWriter.write(export.sheets, file: "a.xlsx")
        #expect(try FormFixtures.sheets("a.xlsx", bytes: book).form.digest == form.digest)
        let table = TableWriter.csv(export.sheets)
        #expect(try FormFixtures.sheets("a.csv", bytes: table).form.digest == form.digest)
        let again = try FormFixtures.xform("a.xml", bytes: XFormExport.write(form)).form
        #expect(again.all.map(\.path) == form.all.map(\.path))
    }

    /// A text that is the same in all languages is plain, also in YAML.
    @Test func aTextThatIsTheSameInAllLanguagesIsPlain() {
        let text = """
            form: f
            title: {fr: T, en: T}
            languages: {en: English, fr: Français}
            lists: {l: {x: {en: X, fr: X}, y: {en: X, fr: Y}, z: {en: Z}}}
            questions:
              - text a: {en: "\\u00e9", fr: "e\\u0301"}
                hint: {en: H, fr: H}
            """
        let form = FormYAML.read(text).form
        #expect(form.title.json == "T" && form.nodes[0].hint?.json == "H")
        #expect(form.lists[0].choices.map { $0.label?.isTranslated } == [false, true, true])
        // Equal to the eye, but not the same.
        #expect(form.nodes[0].label?.isTranslated == true)
    }

    @Test func everySampleIsTried() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.filter { $0.hasSuffix(".yaml") }.count == 3)
    }
}
