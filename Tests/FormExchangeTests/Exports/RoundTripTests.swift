import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// Forms that are exported and imported again.
@Suite struct RoundTripTests {
    @Test(arguments: FormFixtures.names)
    func sheetsGiveTheSameForm(name: String) throws {
        let form = try FormFixtures.sheets(name + ".xlsx").form
        try expectSame(form)
        try expectSame(try FormFixtures.xform(name + ".xml").form)
    }

    private func expectSame(_ form: Form) throws {
        let export = SheetExport(form)
        #expect(export.losses.isEmpty)
        let book = try XLSXWriter.write(export.sheets, file: "a.xlsx")
        #expect(try FormFixtures.sheets("a.xlsx", bytes: book).form.content == form.content)
        let table = TableWriter.csv(export.sheets)
        #expect(try FormFixtures.sheets("a.csv", bytes: table).form.content == form.content)
    }

    @Test(arguments: ["household", "nested", "translated", "entities", "external"])
    func anXFormGivesTheSameForm(name: String) throws {
        let form = try FormFixtures.sheets(name + ".xlsx").form
        let again = try FormFixtures.xform("a.xml", bytes: XFormExport.write(form))
        #expect(FormFixtures.lines(again).isEmpty)
        for ((path, node), other) in zip(form.all, again.form.all) {
            #expect(node.object.description.count > 0 && path == other.path)
        }
        #expect(again.form.all.map(\.path) == form.all.map(\.path))
    }

    /// What the import of a sheet makes of one row is one row again.
    @Test func generatedQuestionsAreFolded() throws {
        let text = """
            | survey |
            | | type | name | label | repeat_count |
            | | select_one l or_other | s | S | |
            | | begin_repeat | r | R | 1 + 1 |
            | | text | a | A | |
            | | end_repeat | | | |
            | choices |
            | | list_name | name | label |
            | | l | x | X |
            """
        let form = try FormFixtures.markdown(text).form
        #expect(form.nodes.map(\.name) == ["s", "s_other", "r_count", "r"])
        let survey = SheetExport(form).sheets[0]
        #expect(
            survey.rows.map { $0.cells.map(\.text) } == [
                ["type", "name", "label", "repeat_count"], ["select_one l or_other", "s", "S"],
                ["begin_repeat", "r", "R", "1 + 1"], ["text", "a", "A"], ["end_repeat"],
            ])
    }

    @Test func aQuestionThatOnlyLooksGeneratedStays() throws {
        let text = """
            | survey |
            | | type | name | label | repeat_count | calculation | relevant |
            | | select_one l | s | S | | | |
            | | text | s_other | Which? | | | selected(../s, 'other') |
            | | calculate | r_count | | | ${s} | |
            | | begin_repeat | r | R | ${r_count} | | |
            | | end_repeat | | | | | |
            | choices |
            | | list_name | name | label |
            | | l | other | X |
            """
        let form = try FormFixtures.markdown(text).form
        #expect(SheetExport(form).sheets[0].rows.count == 6)
        try expectSame(form)
    }

    @Test func languagesKeepTheirOrder() throws {
        var form = Form(id: "f", nodes: [FormNode(name: "a", kind: .question(.text), label: "Same")])
        form.languages = [FormLanguage(code: "fr", name: "Français"), FormLanguage(code: "en", name: "English")]
        form.defaultLanguage = "en"
        form.title = .translated([.init(language: "fr", text: "F"), .init(language: "en", text: "E")])
        try expectSame(form)
        form.languages = [FormLanguage(code: "fr", name: "Français")]
        form.title = "T"
        form.defaultLanguage = nil
        try expectSame(form)
    }

    /// Other programs read one title, and a person who edits that one there means it.
    @Test func aTranslatedTitleHasAPlainOneBesideIt() throws {
        var form = Form(id: "f", nodes: [FormNode(name: "a", kind: .question(.text), label: "Same")])
        form.languages = [FormLanguage(code: "en", name: "English"), FormLanguage(code: "fr", name: "Français")]
        form.title = .translated([.init(language: "en", text: "E"), .init(language: "fr", text: "F")])
        try expectSame(form)
        let settings = try #require(SheetExport(form).sheets.first { $0.name == "settings" })
        let titles = ["form_title", "translated_title::English (en)", "translated_title::Français (fr)"]
        #expect(settings.rows.map { $0.cells.map(\.text) } == [["form_id"] + titles, ["f", "E", "E", "F"]])
        let edited = try FormFixtures.markdown(
            """
            | survey |
            | | type | name | label::English (en) | label::Français (fr) |
            | | text | a | A | B |
            | settings |
            | | form_id | \(titles.joined(separator: " | ")) |
            | | f | New | E | F |
            """)
        #expect(edited.form.title.all == ["New", "F"] && edited.findings.isEmpty)
    }

    @Test func whatSheetsCannotHoldIsNamed() {
        var form = Form(id: "f")
        form.record = .inspection([])
        form.texts = [FormTextEntry(id: "x", text: "X")]
        form.lists = [
            ChoiceList(name: "l", choices: [Choice(name: "a", columns: [NamedText(name: "Value", text: "v")])])
        ]
        #expect(SheetExport(form).losses.count == 3)
    }
}
