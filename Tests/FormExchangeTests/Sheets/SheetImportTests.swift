import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// Forms made of sheets.
@Suite struct SheetImportTests {
    private func form(_ survey: String, _ others: String = "") throws -> Form {
        try FormFixtures.markdown("| survey |\n\(survey)\n\(others)").form
    }

    @Test(arguments: [
        ("text", "text"), ("string", "text"), ("int", "integer"), ("gps", "geopoint"), ("location", "geopoint"),
        ("photo", "image"), ("datetime", "dateTime"), ("date time", "dateTime"), ("trigger", "acknowledge"),
        ("select one l", "select_one"), ("select1 l", "select_one"), ("select one from l", "select_one"),
        ("add select one prompt using l", "select_one"), ("select all that apply from l", "select_multiple"),
        ("select all that apply l", "select_multiple"), ("add select multiple prompt using l", "select_multiple"),
        ("select_one_from_file t.csv", "select_one_from_file"), ("select one from file t.csv", "select_one_from_file"),
        ("select_multiple_from_file t.geojson", "select_multiple_from_file"), ("rank l", "rank"),
        ("select_one_external l", "select_one_external"), ("get start time", "start"), ("start time", "start"),
        ("get today", "today"), ("imei", "deviceid"), ("uri:deviceid", "uri:deviceid"), ("percentage", "integer"),
        ("phone number", "text"), ("number of days in last year", "integer"), ("select_one ${q}", "select_one"),
    ])
    func typesHaveManyNames(type: String, expected: String) throws {
        let form = try form("| | type | name | label |\n| | \(type) | a | A |")
        #expect(form.nodes[0].kind.typeName == expected)
    }

    @Test(arguments: [
        ("begin group", "end group", "group"), ("begin_group", "end_group", "group"),
        ("begin repeat", "end repeat", "repeat"), ("begin_repeat", "end_repeat", "repeat"),
        ("begin lgroup", "end lgroup", "repeat"), ("begin looped group", "end looped group", "repeat"),
    ])
    func groupsHaveSeveralNames(begin: String, end: String, expected: String) throws {
        let form = try form("| | type | name | label |\n| | \(begin) | g | G |\n| | text | a | A |\n| | \(end) | | |")
        #expect(form.nodes.map(\.kind.typeName) == [expected])
        #expect(form.nodes[0].nodes.map(\.name) == ["a"])
    }

    @Test(arguments: [("yes", "true()"), ("TRUE", "true()"), ("no", "false()"), ("${a} > 1", "${a} > 1")])
    func yesAndNoAreExpressions(cell: String, expected: String) throws {
        let form = try form(
            "| | type | name | label | required | readonly | relevant | constraint | calculation |\n"
                + "| | text | a | A | \(cell) | \(cell) | \(cell) | \(cell) | \(cell) |")
        let node = form.nodes[0]
        let rules = [node.required, node.readOnly, node.relevant, node.constraint, node.calculation]
        #expect(rules.allSatisfy { $0 == expected })
    }

    @Test func textsAreCleaned() throws {
        let survey = "| | type | name | label | hint |\n| | text | a | ‘It’  is\u{A0}“so” | x |"
        #expect(try form(survey).nodes[0].label?.all == ["'It' is \"so\""])
        let kept = "| settings |\n| | clean_text_values |\n| | no |"
        #expect(try form(survey, kept).nodes[0].label?.all == ["'It'  is \"so\""])
    }

    @Test func listsOfCellsAreCut() throws {
        let form = try form(
            "| | type | name | label | appearance | parameters | trigger | calculation |\n"
                + "| | range | r | R | vertical  no-ticks | start = 1; END=9,step=2 | | |\n"
                + "| | text | t | T | ex:app(a='b c') w1 | rows=3 | ${r}, ${ r } | 1 |\n"
                + "| | select_one_from_file f.csv | s | S | | value=ID label=Name_X | | |")
        #expect(form.nodes[0].appearance == ["vertical", "no-ticks"])
        #expect(form.nodes[0].parameters.map { "\($0.name)=\($0.text)" } == ["start=1", "end=9", "step=2"])
        #expect(form.nodes[1].appearance == ["ex:app(a='b c')", "w1"])
        #expect(form.nodes[1].trigger == ["r", "r"])
        #expect(form.nodes[2].parameters.map(\.text) == ["ID", "Name_X"])
        #expect(form.files.map(\.name) == ["f.csv"])
    }

    @Test func aNoteNeedsNoName() throws {
        let form = try form("| | type | name | label |\n| | text | a | A |\n| | note | | N |")
        #expect(form.nodes.map(\.name) == ["a", "generated_note_name_3"])
    }

    @Test func aCountThatIsAnExpressionIsAQuestion() throws {
        let form = try form(
            "| | type | name | label | repeat_count |\n| | begin repeat | r | R | 1 + 1 |\n| | text | a | A | |\n"
                + "| | end repeat | | | |\n| | begin repeat | s | S | ${n} |\n| | end repeat | | | |")
        #expect(form.nodes.map(\.name) == ["r_count", "r", "s"])
        #expect(form.nodes.map(\.repeatCount) == [nil, "${r_count}", "${n}"])
    }

    @Test func filesAreFound() throws {
        let form = try form(
            "| | type | name | label | image | calculation | default |\n"
                + "| | text | a | A | a.png | pulldata('towns', 'x', 'y', ${a}) | |\n| | image | i | I | | | b.jpg |\n"
                + "| | csv-external | ext | | | | |\n| | select_one_from_file t.xml | s | S | | | |",
            "| choices |\n| | list_name | name | audio |\n| | l | x | x.mp3 |")
        #expect(form.files.map(\.name) == ["a.png", "towns.csv", "b.jpg", "ext.csv", "t.xml", "x.mp3"])
        #expect(form.files.map(\.kind) == [.media, .csv, .media, .csv, .xml, .media])
    }

    @Test func settingsAreRead() throws {
        let form = try form(
            "| | type | name | label |\n| | text | a | A |",
            "| settings |\n| | id_string | title | version | name | style | allow_choice_duplicates | "
                + "client_editable | omit_instanceID | submission_url |\n"
                + "| | f | F | 7 | root | pages | yes | TRUE | no | https://x |")
        #expect(form.id == "f" && form.title.all == ["F"] && form.version == "7" && form.root == "root")
        #expect(form.settings.allowChoiceDuplicates && form.settings.clientEditable && !form.settings.omitInstanceID)
        #expect(form.settings.style == "pages" && form.settings.rest["submission_url"]?.stringValue == "https://x")
    }

    @Test(arguments: [("Wasser 2026.xlsx", "Wasser_2026"), ("a/b.c.md", "b.c"), ("7.csv", "_7"), ("ü.xlsx", "_")])
    func aFormWithoutSettingsIsCalledAsItsFile(file: String, id: String) throws {
        let options = FormImportOptions(file: file)
        let form = try FormFixtures.markdown("| survey |\n| | type | name |\n| | text | a |", options: options).form
        #expect(form.id.text == id && form.title.all == [id] && form.version == "" && form.root == "data")
    }

    @Test func choicesKeepTheirColumns() throws {
        let form = try form(
            "| | type | name | label |\n| | select_one l or_other | a | A |",
            "| choices |\n| | list name | value | caption | Region | a b |\n| | l | x | X | n | z |\n| | m | y | | | |\n| | l | z | Z | | |"
        )
        #expect(form.lists.map(\.name) == ["l", "m"])
        #expect(form.list("l")?.choices.map(\.name) == ["x", "z", "other"])
        #expect(form.list("l")?.choices[0].columns.map { "\($0.name)=\($0.text)" } == ["Region=n"])
        #expect(form.nodes.map(\.name) == ["a", "a_other"])
    }

    @Test func externalListsHaveNamesOfTheirOwn() throws {
        let form = try form(
            "| | type | name | label | choice_filter |\n| | select_one l | a | A | |\n| | select_one_external l | b | B | x=1 |",
            "| choices |\n| | list_name | name |\n| | l | x |\n| external_choices |\n| | list_name | name | x |\n| | l | y | 1 |"
        )
        #expect(form.lists.map(\.name) == ["l", "l_external"])
        #expect(form.nodes[1].type == .select(.one, from: .external("l_external")))
    }

    @Test func positionsAreThoseOfTheCells() throws {
        let reading = try FormFixtures.sheets("translated.xlsx")
        let label = reading.positions[FormPart(.node(0), member: "label", language: "fr")]
        #expect(label == .cell(sheet: "survey", row: 2, column: 4))
        #expect(reading.positions[FormPart(.node(0), member: "constraint")].cellName == "G2")
        #expect(reading.positions[FormPart(.choice(list: 0, index: 1), member: "name")].cellName == "B3")
        // A count that was taken out of its repeat.
        let nested = try FormFixtures.sheets("nested.xlsx")
        let index = try #require(nested.form.all.firstIndex { $0.path == "person/visit_count" })
        #expect(nested.positions[FormPart(.node(index))].line == 6)
    }
}
