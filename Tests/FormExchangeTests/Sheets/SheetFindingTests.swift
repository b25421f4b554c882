import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// What is said about faults in sheets.
@Suite struct SheetFindingTests {
    @Test(arguments: [
        (
            "| | type | name |\n| | intger | a |",
            "survey row 2, type: error F103: 'intger' is no type of question. Did you mean 'integer'?"
        ),
        ("| | type | name |\n| | | a |", "survey row 2, name: error F103: a type of question is missing."),
        ("| | type | name |\n| | text | |", "survey row 2, type: error F106: 'text' has no name."),
        (
            "| | type | name |\n| | begin repeat | p |\n| | text | a |",
            "survey row 2, type: error F124: this repeat 'p' is never closed."
        ),
        (
            "| | type | name |\n| | text | a |\n| | end group | |",
            "survey row 3, type: error F124: no group is open here."
        ),
        (
            "| | type | name |\n| | begin group | g |\n| | end repeat | |",
            "survey row 3, type: error F124: 'end repeat' closes the group 'g'."
        ),
        (
            "| | type | name | relevance | relevant |\n| | text | a | | |",
            "survey row 1, relevant: error F128: 'relevance' and 'relevant' are the same column."
        ),
        (
            "| | type | name | label::en | colour |\n| | text | a | A | red |",
            "survey row 1, colour: warning W211: this column is not used: 'colour'."
        ),
        (
            "| | type | name | trigger |\n| | text | a | b |",
            "survey row 2, trigger: error F121: 'b' names no questions."
        ),
        (
            "| | type | name | parameters |\n| | range | a | start |",
            "survey row 2, parameters: error F119: 'start' are no parameters."
        ),
        (
            "| | type | name | disabled |\n| | text | a | yes |\n| | text | b | |",
            "survey row 2, disabled: warning W211: this row is disabled"
        ),
        (
            "| | type | name | required |\n| | begin group | g | yes |\n| | text | a | |\n| | end group | | |",
            "survey row 2, required: warning W211: 'required' means nothing for a group"
        ),
        (
            "| | type | name | hint |\n| | | | only this |\n| | text | a | |",
            "survey row 2: warning W211: this row has neither type nor name nor label"
        ),
        (
            "| | type | name | choice_filter |\n| | select_one l or_other | a | x=1 |",
            "survey row 2, choice_filter: error F123: 'or_other' and a choice_filter exclude each other."
        ),
        ("| | name | label |\n| | a | A |", "survey row 1: error F124: the survey has no column 'type'."),
        ("| | type | name |\n| | | |", "survey row 1: error F124: the survey has no questions."),
    ])
    func aFaultIsNamedAtItsCell(survey: String, line: String) throws {
        let lines = FormFixtures.lines(try FormFixtures.markdown("| survey |\n" + survey))
        #expect(lines.contains { $0.hasPrefix(line) }, "\(lines)")
    }

    @Test(arguments: [
        "osm", "begin loop", "cascading_select l", "background-audio", "begin_kobomatrix", "begin_score", "score__row",
        "begin_rank", "rank__level",
    ])
    func whatCannotBeAskedIsRefusedOrHidden(type: String) throws {
        let text = "| survey |\n| | type | name | label |\n| | \(type) | a | A |\n| | text | b | B |"
        let refused = try FormFixtures.markdown(text)
        #expect(FormFixtures.lines(refused).contains { $0.hasPrefix("survey row 2, type: error F127: '\(type)'") })
        let hidden = try FormFixtures.markdown(text, options: FormImportOptions(file: "a.md", skipsUnsupported: true))
        #expect(!FormFixtures.lines(hidden).contains { $0.containsBytes(of: "F127") })
        guard !type.hasPrefix("begin") else { return }
        #expect(hidden.form.nodes.map(\.name) == ["skipped_questions", "a", "b"])
        #expect(hidden.form.nodes[0].label?.all == ["Not asked here: a."])
        #expect(hidden.form.nodes[1].type == .plain(.hidden) && !hidden.findings.hasErrors)
    }

    @Test func choicesOfCollectsOwnSearchAreRefused() throws {
        let text =
            "| survey |\n| | type | name | label | appearance |\n| | select_one l | a | A | minimal search('f', 'matches') |"
        let lines = FormFixtures.lines(try FormFixtures.markdown(text))
        #expect(
            lines.contains { $0.hasPrefix("survey row 2, appearance: error F127: 'search()' cannot be asked here.") })
    }

    @Test func encryptionIsRefusedUnlessIgnored() throws {
        let text = "| survey |\n| | type | name |\n| | text | a |\n| settings |\n| | public_key |\n| | abc |"
        let refused = try FormFixtures.markdown(text)
        #expect(FormFixtures.lines(refused).contains { $0.hasPrefix("settings row 2, public_key: error F127") })
        let taken = try FormFixtures.markdown(text, options: FormImportOptions(file: "a", ignoresEncryption: true))
        #expect(!taken.findings.hasErrors)
        #expect(!taken.form.content.containsBytes(of: "abc"))
    }

    @Test func otherSheetsAreNoted() throws {
        let reading = try FormFixtures.markdown(
            "| survey |\n| | type | name |\n| | text | a |\n| choises |\n| _setings |\n| notes |")
        #expect(
            FormFixtures.lines(reading).filter { $0.containsBytes(of: "sheet") } == [
                "warning W211: the sheet 'choises' is not read. Did you mean 'choices'?"
            ])
    }

    @Test func aWorkbookOfOneSheetIsASurvey() throws {
        let form = try FormFixtures.markdown("| Sheet1 |\n| | type | name |\n| | text | a |").form
        #expect(form.nodes.map(\.name) == ["a"])
        #expect(throws: FormFileError.self) { try FormFixtures.markdown("| a |\n| b |") }
    }

    @Test func choicesAndEntitiesAreChecked() throws {
        let reading = try FormFixtures.markdown(
            """
            | survey |
            | | type | name |
            | | text | a |
            | choices |
            | | list_name | name | label | two words |
            | | l | | X | |
            | | | y | Y | |
            | entities |
            | | list_name | label | colour |
            | | | L | |
            """)
        let lines = FormFixtures.lines(reading)
        for line in [
            "choices row 1, two words: warning W211",
            "choices row 2, list_name: error F106: this choice of 'l' has no name.",
            "choices row 3, name: error F106: this choice has no list.", "entities row 1, colour: error F128",
            "entities row 2: error F106: this entity has no list.",
        ] { #expect(lines.contains { $0.hasPrefix(line) }, "\(line) in \(lines)") }
    }

    /// All at once, in a workbook by the addresses of the cells.
    @Test func allFaultsOfAWorkbookComeAtOnce() throws {
        let lines = FormFixtures.lines(try FormFixtures.sheets("faults.xlsx")).map { $0.split(separator: ":")[0] }
        #expect(
            lines.map(String.init) == [
                "warning W211", "survey!C2", "survey!E4", "survey!A5", "survey!A6", "survey!A7", "survey!A8",
                "survey!B9",
                "survey!A10", "survey!A10",
            ])
    }

    /// What a row lacks hides nothing of what is wrong in the others, nor of what else is wrong in the row.
    @Test(arguments: [
        ("| | text | | L | ${zy} = 1 |", "survey row 3, type: error F106: 'text' has no name."),
        ("| | | v | V | ${zy} = 1 |", "survey row 3, name: error F103"),
        ("| | | | V | ${zy} = 1 |", "survey row 3, label: error F103"),
        ("| | begin group | | G | ${zy} = 1 |\n| | end group | | | |", "survey row 3, type: error F106"),
        ("| | begin repeat | | R | ${zy} = 1 |\n| | end repeat | | | |", "survey row 3, type: error F106"),
    ])
    func aRowThatLacksANameOrATypeEndsNoCheck(row: String, line: String) throws {
        let text = """
            | survey |
            | | type | name | label | relevant |
            | | text | a | A | ${zz} = 1 |
            \(row)
            | | text | a | A again | 1 + |
            | | select_one l | w | W | ${a} = '' |
            | choices |
            | | list_name | name | label |
            | | l | x | X |
            | | l | x | Y |
            """
        var reading = try FormFixtures.markdown(text)
        reading.findings = FormChecker.findings(of: reading, options: .init(isImported: true))
        let lines = FormFixtures.lines(reading)
        for code in ["F104", "F108", "F112"] {
            #expect(lines.filter { $0.containsBytes(of: code) }.count == 1, "\(code) in \(lines)")
        }
        #expect(lines.filter { $0.containsBytes(of: "'zz'") }.count == 1, "\(lines)")
        #expect(lines.filter { $0.containsBytes(of: "'zy'") }.count == 1, "\(lines)")
        #expect(lines.filter { $0.hasPrefix(line) }.count == 1, "\(lines)")
        #expect(lines.filter { $0.containsBytes(of: "F106") || $0.containsBytes(of: "F103") }.count == 1, "\(lines)")
    }

    /// Only one of them is offered at a time, by the filter that a select_one_external has.
    @Test func namesInExternalChoicesMayRepeat() throws {
        let text = """
            | survey |
            | | type | name | label | choice_filter |
            | | text | state | State | |
            | | select_one_external county | c | County | state=${state} |
            | external_choices |
            | | list_name | name | label | state |
            | | county | king | King | washington |
            | | county | king | King | texas |
            """
        let reading = try FormFixtures.markdown(text)
        #expect(FormChecker.findings(of: reading, options: .init(isImported: true)).errors == 0)
        let both = text + "\n| choices |\n| | list_name | name |\n| | l | x |\n| | l | x |"
        let other = try FormFixtures.markdown(both)
        let found = FormChecker.findings(of: other, options: .init(isImported: true)).shown.map(\.code)
        #expect(found == [.repeatedChoice])
    }

    /// Others may refer to a question whose type is missing.
    @Test func aQuestionWithoutATypeIsKnown() throws {
        let text = "| survey |\n| | type | name | label | relevant |\n| | | v | V | |\n| | text | a | A | ${v} = 1 |"
        let reading = try FormFixtures.markdown(text)
        #expect(FormChecker.findings(of: reading, options: .init(isImported: true)).shown.map(\.code) == [.unknownType])
    }

    @Test func aFormHasAtMostSoManyQuestions() throws {
        let rows = (0...FormLimits.nodes).map { "| | text | q\($0) |" }.joined(separator: "\n")
        let reading = try FormFixtures.markdown("| survey |\n| | type | name |\n" + rows)
        #expect(reading.form.nodes.count == FormLimits.nodes && reading.findings.errors == 1 && reading.isPartial)
    }

    @Test func groupsInEachOtherHaveALimit() throws {
        let depth = 2_000
        let rows = (0..<depth).map { "| | begin group | g\($0) |" }.joined(separator: "\n")
        let reading = try FormFixtures.markdown("| survey |\n| | type | name |\n\(rows)\n| | text | a |")
        #expect(reading.findings.hasErrors)
        #expect(FormReader.read(reading.form.definition).form.id == reading.form.id)
    }

    /// A quotation mark that is missing makes one cell of the rows behind it.
    @Test(arguments: [
        (
            "survey,,,\n,type,name,label\n,text,a,\"A\n,text,b,B\n",
            "survey row 2: error F101: a quotation mark is opened here and never closed."
        ),
        (
            "survey,,,\n,type,name,label\n,text,a,\"A\n,text,b,\"B\"\n",
            "survey row 2: error F101: text follows the quotation mark that ends a cell."
        ),
    ])
    func aQuotationMarkThatIsMissingIsNamed(text: String, line: String) throws {
        let reading = try FormFixtures.sheets("a.csv", bytes: Array(text.utf8))
        let lines = FormFixtures.lines(reading)
        #expect(lines.contains { $0.hasPrefix(line) } && reading.findings.hasErrors, "\(lines)")
    }
}
