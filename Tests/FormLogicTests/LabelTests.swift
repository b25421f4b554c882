import DocumentValues
import FormLogic
import Testing

/// Labels as a person reads them.
@Suite struct LabelTests {
    private static let nodes = """
        [{"name": "name", "type": "text"}, {"name": "count", "type": "decimal"}, {"name": "day", "type": "date"},
         {"name": "hour", "type": "time"}, {"name": "at", "type": "dateTime"},
         {"name": "kind", "type": "select_one", "list": "l"},
         {"name": "room", "type": "repeat", "nodes": [{"name": "beds", "type": "integer"}, {"name": "n", "type": "note"}]},
         {"name": "gone", "type": "text", "relevant": "${count} > 100"}, {"name": "note", "type": "note"}]
        """
    private static let answers = """
        {"name": "A*b*", "count": 2.5, "day": "2026-03-04", "hour": "13:45:00.000+01:00",
         "at": "2026-03-04T13:45:30.500+01:00", "kind": "x", "room": [{"@key": "a", "beds": 1}, {"@key": "b", "beds": 2}],
         "gone": "hidden"}
        """

    private func form() throws -> FilledForm {
        try FilledForm(
            Self.nodes, lists: #"{"l":[{"name":"x","label":"The label"}]}"#, answers: Self.answers)
    }

    private func styled(
        _ text: FormText, at path: String = "note", language: FormTextLanguage = .init(chosen: "en", fallback: "en")
    ) throws -> StyledText {
        let form = try form()
        let node = try form.node(path)
        var evaluator = form.state.evaluator
        return evaluator.styled(
            text, owner: form.state.record[node].formNode, at: .record(node), in: language)
    }

    @Test(arguments: [
        ("${name} has ${count}", "A*b* has 2.5"), ("on ${day} at ${hour}", "on 2026-03-04 at 13:45"),
        ("${at}", "2026-03-04 13:45"), ("${kind}", "x"), ("[${gone}]", "[]"), ("${none} stays", "${none} stays"),
        ("costs $5 {}", "costs $5 {}"), ("${", "${"), ("${name", "${name"),
    ])
    func answersAreFilledIn(label: String, text: String) throws {
        #expect(try styled(.plain(label)).plain == text)
    }

    @Test func aReferenceInARepeatIsThatOfItsInstance() throws {
        #expect(try styled("${beds} beds", at: "room[2]/n").plain == "2 beds")
    }

    @Test func theFallbackIsMarked() throws {
        let text = FormText.translated([.init(language: "en", text: "Depth"), .init(language: "fr", text: "")])
        #expect(try styled(text, language: .init(chosen: "fr", fallback: "en")).plain == "Depth [en]")
        #expect(try styled(text, language: .init(chosen: "en", fallback: "en")).plain == "Depth")
        let french = FormText.translated([.init(language: "fr", text: "Fond")])
        #expect(try styled(french).plain == "Fond [fr]")
        #expect(try styled(.translated([])).isEmpty)
    }

    /// Runs with their styles: `b` bold, `i` italic, `u` underlined, `h` heading.
    private static func marked(_ text: StyledText) -> String {
        text.runs.map { run in
            let signs: [(StyledText.Style, String)] = [
                (.bold, "b"), (.italic, "i"), (.underlined, "u"), (.heading, "h"),
            ]
            let style = signs.filter { run.style.contains($0.0) }.map(\.1).joined()
            return style.isEmpty ? run.text : "<\(style):\(run.text)>"
        }.joined()
    }

    @Test(arguments: [
        ("a **b** c", "a <b:b> c"), ("__b__", "<b:b>"), ("*i* and _i_", "<i:i> and <i:i>"),
        ("**b *bi* b**", "<b:b ><bi:bi><b: b>"), ("3 * 4 * 5", "3 * 4 * 5"), ("a_name_of", "a_name_of"),
        ("**open", "**open"), ("*open", "*open"), ("_a\nb_", "_a\nb_"), ("****", "****"),
        ("# Big\nsmall", "<bh:Big>\nsmall"), ("#1", "#1"), ("a # b", "a # b"),
        ("see [here](http://a.b)", "see <u:here> (http://a.b)"), ("[http://a.b](http://a.b)", "<u:http://a.b>"),
        ("[x] (y)", "[x] (y)"), ("a<br>b", "a\nb"), ("<b>b</b> <u>u</u>", "<b:b> <u:u>"),
        ("<span style=\"color:red\">r</span>", "r"), ("<p>one</p>two", "one\ntwo"), ("<BR/>", "\n"),
        ("a < b > c", "a < b > c"), ("<script>", "<script>"), (##"\*a\* \_ \# \\"##, ##"*a* _ # \"##),
        ("&lt;b&gt; &amp; &quot;&nbsp;&copy;", "<b> & \"\u{A0}&copy;"), ("**${name}**", "<b:A*b*>"),
    ])
    func markupIsStyle(label: String, text: String) throws {
        #expect(Self.marked(try styled(.plain(label))) == text)
    }

    /// The time must not grow with the square of a label's length.
    @Test(arguments: ["*a ", "**a ", "_a ", "[", "<", "[a](", "${", "&"])
    func marksWithoutEndAreText(part: String) throws {
        let label = String(repeating: part, count: 2_000)
        #expect(try styled(.plain(label)).plain.utf8.count == label.utf8.count)
    }

    @Test func referencesOfARuleHaveTheirValues() throws {
        let form = try form()
        let node = try form.node("note")
        var evaluator = form.state.evaluator
        let values = evaluator.values(
            in: "${count} > 1 and ${kind} = 'x' and ${count} < 9", owner: form.state.record[node].formNode,
            at: .record(node))
        #expect(values.map(\.reference) == ["${count}", "${kind}"])
        #expect(values.map(\.value) == ["2.5", "x"])
    }

    @Test func theRuleThatHidesANodeIsNamed() throws {
        let form = try form()
        let gone = try form.node("gone")
        #expect(form.state.hidingRule(of: gone) == form.state.record[gone].formNode)
        #expect(form.state.hidingRule(of: try form.node("name")) == nil)
        #expect(form.state.isShown(try form.formNode("room"), in: Record.root))
        #expect(form.state.count(of: try form.formNode("room"), in: Record.root) == nil)
    }

    @Test func anotherLanguageIsSpokenByLookUps() throws {
        var form = try FilledForm(
            #"""
            [{"name": "kind", "type": "select_one", "list": "l"},
             {"name": "shown", "type": "calculate", "calculation": "jr:choice-name(${kind}, '${kind}')"}]
            """#, lists: #"{"l":[{"name":"x","label":{"en":"Red","fr":"Rouge"}}]}"#)
        let lists = [
            ChoiceList(
                name: "l",
                choices: [
                    Choice(
                        name: "x",
                        label: .translated([
                            .init(language: "en", text: "Red"), .init(language: "fr", text: "Rouge"),
                        ]))
                ])
        ]
        form.state.speak(FormTextLanguage(chosen: "fr", fallback: "en"), lists: lists)
        try form.answer("kind", with: "x")
        #expect(try form.text("shown") == "Rouge")
    }
}
