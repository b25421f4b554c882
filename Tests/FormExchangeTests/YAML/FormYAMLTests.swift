import DocumentValues
import FormLogic
import Foundation
import Testing

@testable import FormExchange

/// Forms in YAML.
@Suite struct FormYAMLTests {
    @Test(arguments: ["kitchen_hygiene", "water_point"])
    func examplesAreRead(name: String) throws {
        let reading = FormYAML.read(try Self.text(of: name))
        #expect(reading.findings.shown.map(\.message) == [])
        #expect(reading.form.id == Name(name))
        #expect(!reading.form.nodes.isEmpty && !reading.isPartial)
        #expect(FormChecker.findings(of: reading).shown.filter { $0.severity == .error } == [])
        #expect(FormChecker.findings(of: reading).shown.map(\.text) == Self.remarks[name])
        let (again, problems) = FormReader.read(reading.form.definition)
        #expect(problems == [])
        #expect(again.digest == reading.form.digest)
    }

    private static let remarks = [
        "kitchen_hygiene": ["parameters of 'photo': 'max-pixels' has no meaning here."], "water_point": [],
    ]

    @Test func theWholeFormIsThere() throws {
        let form = FormYAML.read(try Self.text(of: "water_point")).form
        #expect(form.version == "7")
        #expect(form.languages.map(\.code) == ["en", "fr"])
        #expect(form.list("village")?.choices.map(\.name) == ["alba", "cove", "dell"])
        #expect(form.list("village")?.choices[1].columns[Name("people")] == "1300")
        #expect(form.list("yes_no")?.choices.map(\.name) == ["yes", "no"])
        // or_other adds a choice and a question.
        #expect(form.list("kind")?.choices.last?.label?.text(in: "fr") == "Autre")
        let point = try #require(form.nodes.first { $0.name == "point" })
        let about = try #require(point.nodes.first { $0.name == "about" })
        #expect(about.nodes.map(\.name) == ["source", "source_other", "place", "depth"])
        #expect(about.nodes[1].relevant == "selected(../source, 'other')")
        // A count that is an expression is a question before its repeat.
        #expect(point.nodes.map(\.name).suffix(3) == ["test_count", "test", "mean_ph"])
        let test = try #require(point.nodes.first { $0.name == "test" })
        #expect(test.repeatCount == "${test_count}")
        #expect(form.nodes.last?.type == .select(.one, from: .answers("label_text")))
    }

    /// As in a workbook: a question or a choice that names a picture is enough.
    @Test func mediaAreFilesOfTheForm() throws {
        let text = """
            form: f
            version: 1
            files: [plan.png]
            lists:
              l:
                - {name: a, label: A, media: {audio: a.mp3}}
            questions:
              - select_one l s: S
                media: {image: plan.png, video: "${s}.mp4"}
              - image p: P
                default: start.jpg
              - audit log

            """
        let reading = FormYAML.read(text)
        let form = reading.form
        #expect(reading.findings.isEmpty && form.files.map(\.name) == ["plan.png", "start.jpg", "a.mp3"])
        #expect(reading.positions[FormPart(.file(1))] == .text(line: 10, column: 5))
        #expect(reading.positions[FormPart(.file(2))] == .text(line: 6, column: 7))
        #expect(form.nodes.map(\.name) == ["s", "p", "audit"])
        let book = try XLSXWriter.write(SheetExport(form).sheets, file: "f.xlsx")
        #expect(try FormFixtures.sheets("f.xlsx", bytes: book).form.digest == form.digest)
        #expect(FormYAML.read(FormYAML.write(form)).form.digest == form.digest)
    }

    static func text(of name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/yaml/\(name)", withExtension: "yaml"))
        return try String(contentsOf: url, encoding: .utf8)
    }
}
