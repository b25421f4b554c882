import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// Languages of headers.
@Suite struct LanguageTests {
    private func form(_ text: String) throws -> Form { try FormFixtures.markdown(text).form }

    @Test(arguments: [
        ("English (en)", "en", "English"), ("English", "English", "English"),
        ("Deutsch (Schweiz) (de-CH)", "de-CH", "Deutsch (Schweiz)"),
        ("(en)", "(en)", "(en)"), ("English ()", "English ()", "English ()"),
    ])
    func aHeaderNamesALanguage(header: String, code: String, name: String) {
        let language = SheetLanguages.parsed(header)
        #expect(language.code.text == code && language.name == name)
    }

    @Test func textsComeByLanguage() throws {
        let form = try form(
            """
            | survey |
            | | type | name | label::English (en) | label::Français (fr) | hint |
            | | text | a | Name | Nom | H |
            | | text | b | Same | Same | |
            | | text | c | | Seul | |
            """)
        #expect(form.languages.map { "\($0.code) \($0.name)" } == ["en English", "fr Français"])
        #expect(form.defaultLanguage == nil && form.language == "en")
        #expect(form.nodes[0].label?.text(in: "fr") == "Nom" && form.nodes[0].label?.text(in: "en") == "Name")
        #expect(form.nodes[0].hint?.json == "H" && form.nodes[1].label?.json == "Same")
        #expect(form.nodes[2].label?.text(in: "en") == nil && form.nodes[2].label?.text(in: "fr") == "Seul")
    }

    @Test func aHeaderWithoutLanguageIsTheFallback() throws {
        let reading = try FormFixtures.markdown(
            "| survey |\n| | type | name | label | label::fr |\n| | text | a | Name | Nom |\n| | text | b | Only | |")
        #expect(reading.form.languages.map(\.code) == ["default", "fr"] && reading.form.defaultLanguage == "default")
        #expect(reading.form.nodes[0].label?.text(in: "default") == "Name")
        #expect(reading.form.nodes[1].label?.json == "Only")
        #expect(FormFixtures.lines(reading).count { $0.containsBytes(of: "W206") } == 1)
    }

    @Test func theDefaultLanguageMayHaveNoHeaderOfItsOwn() throws {
        let text = "| survey |\n| | type | name | label | label::Français (fr) |\n| | text | a | Name | Nom |\n"
        let form = try form(text + "| settings |\n| | default_language |\n| | English (en) |")
        #expect(form.languages.map(\.code) == ["en", "fr"] && form.defaultLanguage == "en")
        #expect(form.nodes[0].label?.text(in: "en") == "Name")
    }

    @Test(arguments: ["Français (fr)", "Français", "fr", "français"])
    func theDefaultLanguageIsFound(text: String) throws {
        let form = try form(
            "| survey |\n| | type | name | label::English (en) | label::Français (fr) |\n| | text | a | A | B |\n"
                + "| settings |\n| | default_language |\n| | \(text) |")
        #expect(form.defaultLanguage == "fr" && form.languages.map(\.code) == ["en", "fr"])
    }

    @Test func choicesWithoutLanguageAreForAll() throws {
        let form = try form(
            "| survey |\n| | type | name | label::en | label::fr |\n| | select_one l | a | A | B |\n"
                + "| choices |\n| | list_name | name | label |\n| | l | x | X |")
        #expect(form.languages.map(\.code) == ["en", "fr"])
        #expect(form.list("l")?.choices[0].label?.json == "X")
    }
}
