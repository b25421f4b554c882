import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// Forms made of XForms.
@Suite struct XFormImportTests {
    /// A question of the workbook, and what differs in the XForm that pyxform made of it, with the reason.
    private static let differences: [Name: [Name]] = [
        // pyxform writes the constraint in another way, and a read-only text as a note.
        "old-spellings": ["a", "pc"],
        // It makes nodes of a table-list, and does not say whether a path was a reference.
        "groups": ["tl", "tl/r1", "tl/r2", "ro", "roc", "q"],
    ]

    @Test(arguments: FormFixtures.names)
    func theFormIsThatOfTheWorkbook(name: String) throws {
        let book = try FormFixtures.sheets(name + ".xlsx").form
        let read = try FormFixtures.xform(name + ".xml")
        #expect(FormFixtures.lines(read).isEmpty)
        let others = Self.differences[Name(name)] ?? []
        for (path, node) in book.all where !others.contains(Name(path)) {
            let other = read.form.all.first { $0.path == path }?.node
            #expect(node.rules == other?.rules, "\(path)")
        }
        #expect(read.form.id == book.id && read.form.version == book.version && read.form.title.json == book.title.json)
        #expect(read.form.languages.map(\.code) == book.languages.map(\.code))
        #expect(read.form.instanceName == book.instanceName)
        #expect(read.form.files.map(\.name).sorted() == book.files.map(\.name).sorted())
        #expect(read.form.entities.map(\.createIf) == book.entities.map(\.createIf))
        for list in read.form.lists { #expect(list.content.json == book.list(list.name)?.content.json) }
    }

    private func form(_ model: String, _ body: String, head: String = "") throws -> FormReading {
        let text =
            "<h:html xmlns=\"http://www.w3.org/2002/xforms\" xmlns:h=\"http://www.w3.org/1999/xhtml\""
            + " xmlns:jr=\"http://openrosa.org/javarosa\"><h:head><h:title>T</h:title>\(head)<model>\(model)</model>"
            + "</h:head><h:body>\(body)</h:body></h:html>"
        return try FormFixtures.xform("a.xml", bytes: Array(text.utf8))
    }

    /// What an instance holds is never evaluated, and stays as it is when the form is written and read again.
    @Test(arguments: [
        ("string", "1 + 1", "string('1 + 1')"), ("string", "today()", "string('today()')"),
        ("string", "xy", "xy"), ("time", "10:00:00", "10:00:00"), ("date", "2026-03-04", "2026-03-04"),
        ("time", "22:02:10.562+06:00", "string('22:02:10.562+06:00')"),
        ("string", "it's today()", "string(\"it's today()\")"),
        ("string", "'a' \"b\" + c", "concat(\"'\", 'a', \"'\", ' \"b\" + c')"),
        ("string", "${a}", "concat('$', '{a}')"), ("string", "${a}'s", "concat('$', '{a}', \"'\", 's')"),
    ])
    func aTextOfTheInstanceIsNotEvaluated(type: String, text: String, expected: String) throws {
        let reading = try form(
            "<instance><d id=\"f\"><a>\(text)</a></d></instance><bind nodeset=\"/d/a\" type=\"\(type)\"/>",
            "<input ref=\"/d/a\"><label>A</label></input>")
        let node = try reading.form.node("a")
        #expect(node.defaultValue == expected)
        #expect(!FormChecker.findings(of: reading, options: .init(isImported: true)).hasErrors)
        let again = try FormFixtures.xform("a.xml", bytes: XFormExport.write(reading.form)).form
        #expect(try again.node("a").defaultValue == expected)
        #expect(FormYAML.read(FormYAML.write(reading.form)).form.content == reading.form.content)
        let table = TableWriter.csv(SheetExport(reading.form).sheets)
        #expect(try FormFixtures.sheets("a.csv", bytes: table).form.node("a").defaultValue == expected)
    }

    /// Nor is a literal of an action.
    @Test func aLiteralOfAnActionIsNotEvaluated() throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/><b/></d></instance><bind nodeset=\"/d/a\" type=\"string\"/>"
                + "<setvalue ref=\"/d/a\" event=\"odk-instance-first-load\" value=\"'today()'\"/>"
                + "<setvalue ref=\"/d/b\" event=\"odk-instance-first-load\">1 + 1</setvalue>",
            "<input ref=\"/d/a\"/><input ref=\"/d/b\"/>")
        #expect(reading.form.nodes.map(\.defaultValue) == ["string('today()')", "string('1 + 1')"])
    }

    @Test(arguments: [
        ("int", "<input ref=\"/d/a\"/>", "integer"), ("xsd:int", "<input ref=\"/d/a\"/>", "integer"),
        ("decimal", "<input ref=\"/d/a\"/>", "decimal"), ("dateTime", "<input ref=\"/d/a\"/>", "dateTime"),
        ("geotrace", "<input ref=\"/d/a\"/>", "geotrace"), ("barcode", "<input ref=\"/d/a\"/>", "barcode"),
        ("odd", "<input ref=\"/d/a\"/>", "text"), ("string", "<input ref=\"/d/a\"/>", "text"),
        ("string", "<secret ref=\"/d/a\"/>", "text"), ("string", "<trigger ref=\"/d/a\"/>", "acknowledge"),
        ("binary", "<upload ref=\"/d/a\" mediatype=\"image/*\"/>", "image"),
        ("binary", "<upload ref=\"/d/a\" mediatype=\"audio/*\"/>", "audio"),
        ("binary", "<upload ref=\"/d/a\" mediatype=\"video/*\"/>", "video"),
        ("binary", "<upload ref=\"/d/a\" mediatype=\"application/pdf\"/>", "file"),
        ("string", "<select ref=\"/d/a\"><item><label>X</label><value>x</value></item></select>", "select_multiple"),
        ("select1", "<select1 ref=\"/d/a\"><item><label>X</label><value>x</value></item></select1>", "select_one"),
        ("int", "<range ref=\"/d/a\" start=\"1\" end=\"5\" step=\"1\"/>", "range"), ("string", "", "hidden"),
        ("string", "<group ref=\"/d\"><input ref=\"a\"/></group>", "text"), ("string", "<input bind=\"i\"/>", "text"),
    ])
    func bindAndControlMakeTheType(type: String, control: String, expected: String) throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/></d></instance><bind id=\"i\" nodeset=\"/d/a\" type=\"\(type)\"/>", control)
        #expect(reading.form.nodes.map(\.kind.typeName) == [expected])
    }

    @Test(arguments: [
        ("timestamp", "start", "start"), ("timestamp", "end", "end"), ("date", "today", "today"),
        ("property", "deviceid", "deviceid"), ("property", "username", "username"),
        ("property", "uri:email", "uri:email"),
        ("property", "shoe size", "hidden"),
    ])
    func nodesMayBeFilledByTheDevice(kind: String, parameter: String, expected: String) throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/></d></instance>"
                + "<bind nodeset=\"/d/a\" jr:preload=\"\(kind)\" jr:preloadParams=\"\(parameter)\"/>", "")
        #expect(reading.form.nodes.map(\.kind.typeName) == [expected])
    }

    @Test func theOrderIsThatOfTheBody() throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/><h/><g><x/><y/></g><b/><meta><instanceID/></meta></d></instance>",
            "<input ref=\"/d/b\"/><group ref=\"/d/g\"><input ref=\"/d/g/y\"/><input ref=\"/d/g/x\"/></group><input ref=\"/d/a\"/>"
        )
        #expect(reading.form.all.map(\.path) == ["b", "g", "g/y", "g/x", "a", "h"])
    }

    @Test func repeatsMayBeFixed() throws {
        let reading = try form(
            "<instance><d id=\"f\"><r jr:template=\"\"><a/></r><r><a/></r><r><a/></r></d></instance>",
            "<group ref=\"/d/r\"><label>R</label><repeat nodeset=\"/d/r\" jr:noAddRemove=\"true()\"><input ref=\"/d/r/a\"/></repeat></group>"
        )
        #expect(reading.form.nodes.map(\.name) == ["r_count", "r"])
        #expect(reading.form.nodes[0].calculation == "2" && reading.form.nodes[1].label?.all == ["R"])
    }

    private func repeated(_ instance: String, _ attributes: String = "") throws -> FormReading {
        try form(
            "<instance><d id=\"f\">\(instance)</d></instance>",
            "<group ref=\"/d/r\"><repeat nodeset=\"/d/r\"\(attributes)><input ref=\"/d/r/a\"/>"
                + "<group ref=\"/d/r/g\"><input ref=\"/d/r/g/b\"/></group>"
                + "<group ref=\"/d/r/q\"><repeat nodeset=\"/d/r/q\"><input ref=\"/d/r/q/c\"/></repeat></group>"
                + "</repeat></group>")
    }

    private static let template = "<r jr:template=\"\"><a>t</a><g><b/></g><q jr:template=\"\"><c/></q></r>"
    private static let plain = "<r><a>t</a><g><b/></g><q><c/></q></r>"

    /// A record begins with the instances that the XForm has, and with their values.
    @Test func firstInstancesAreThoseOfTheInstance() throws {
        let several =
            "<r><a>1</a><g><b>x</b></g><q><c/></q></r><r><a>t</a><g><b/></g><q><c>2</c></q><q><c>3</c></q></r>"
            + "<r><a/><g><b/></g><q><c/></q></r>"
        let reading = try repeated(Self.template + several)
        let expected: [JSONObject] = [
            ["a": "1", "g": ["b": "x"]], ["q": [["c": "2"], ["c": "3"]]], ["a": ""],
        ]
        let node = try reading.form.node("r")
        #expect(FormFixtures.lines(reading).isEmpty && node.firstInstances == expected && node.repeatCount == nil)
        #expect(try reading.form.node("r/a").defaultValue == "t" && reading.form.node("r/q").firstInstances.isEmpty)
        let form = reading.form
        let again = try FormFixtures.xform("a.xml", bytes: XFormExport.write(form))
        #expect(try again.form.node("r").firstInstances == expected)
        #expect(FormYAML.read(FormYAML.write(form)).form.content == form.content)
        #expect(FormReader.read(form.definition).form.content == form.content)
        #expect(SheetExport(form).losses == ["the instances with which 'r' begins"])
    }

    @Test func anInstanceWithTheDefaultsIsNone() throws {
        for instance in [Self.template + Self.plain, Self.template, Self.plain] {
            #expect(try repeated(instance).form.node("r").firstInstances.isEmpty, "\(instance)")
        }
        let fixed = " jr:noAddRemove=\"true()\""
        #expect(try repeated(Self.plain + Self.plain, fixed).form.node("r").firstInstances.isEmpty)
        let values = try repeated(Self.plain + Self.plain.replacing(">t<", with: ">5<"), fixed).form
        #expect(try values.node("r").firstInstances == [[:], ["a": "5"]])
        #expect(try values.node("r_count").calculation == "2")
        #expect(try FormFixtures.lines(repeated("<b/><b/>")).contains { $0.contains("'b' is here 2 times") })
    }

    /// An item may hold a text and no elements; expressions read it, and so may a select.
    @Test func itemsMayHoldATextOnly() throws {
        let instance = "<root><item>1</item><item>3</item><item>2</item></root>"
        let reading = try form(
            "<instance><d id=\"f\"><a/><b/><c/></d></instance><instance id=\"n\">\(instance)</instance>"
                + "<bind nodeset=\"/d/a\" type=\"int\" calculate=\"max(randomize(instance('n')/root/item, 42))\"/>"
                + "<bind nodeset=\"/d/b\" calculate=\"count(instance('n')/root/item/*)\"/>",
            "<select1 ref=\"/d/c\"><label>C</label><itemset nodeset=\"randomize(instance('n')/root/item, /d/a)\">"
                + "<value ref=\".\"/><label ref=\".\"/></itemset></select1>")
        #expect(!FormChecker.findings(of: reading, options: .init(isImported: true)).hasErrors)
        let form = reading.form
        #expect(form.list("n")?.choices.map(\.name) == ["1", "3", "2"])
        #expect(try form.node("c").parameters.map { "\($0.name.text)=\($0.text)" } == ["randomize=true", "seed=${a}"])
        let state = FunctionState(conversions: Conversions(zone: FixedFormZone()), now: 0, random: FormRandom(seed: 1))
        let program = FormProgram(form)
        var evaluator = FormEvaluator(
            program: program, record: Record(program.outline),
            instances: FormInstances(lists: form.lists, language: nil, fallback: nil), state: state)
        for (text, value) in [("max(instance('n')/root/item)", "3"), ("count(instance('n')/root/item/label)", "0")] {
            let rule = try program.compile(text, owner: FormOutline.root)
            let (found, reports) = evaluator.value(of: rule, at: .record(Record.root))
            #expect(evaluator.state.conversions.text(found) == value && reports.isEmpty)
        }
        let again = try FormFixtures.xform("a.xml", bytes: XFormExport.write(form)).form
        #expect(again.list("n")?.choices.map(\.columns).map { $0.map(\.text) } == [["1"], ["3"], ["2"]])
        let book = try XLSXWriter.write(SheetExport(form).sheets, file: "a.xlsx")
        #expect(try FormFixtures.sheets("a.xlsx", bytes: book).form.list("n")?.choices[1].columns.map(\.name) == ["."])
    }

    @Test func inlineItemsAreAList() throws {
        let reading = try form(
            "<itext><translation lang=\"en\"><text id=\"x\"><value>X <output value=\"/d/b\"/></value>"
                + "<value form=\"image\">jr://images/x.png</value></text></translation><translation lang=\"fr\">"
                + "<text id=\"x\"><value>IX</value></text></translation></itext>"
                + "<instance><d id=\"f\"><a/><b>1</b></d></instance>",
            "<select1 ref=\"/d/a\"><label>A</label><item><label ref=\"jr:itext('x')\"/><value>x</value></item></select1>"
        )
        let list = try #require(reading.form.list("a_choices"))
        #expect(list.choices[0].label?.text(in: "en") == "X ${b}" && list.choices[0].label?.text(in: "fr") == "IX")
        #expect(list.choices[0].media[.image]?.text(in: "en") == "x.png")
        #expect(reading.form.nodes[1].defaultValue == "1" && reading.form.nodes[1].type == .plain(.hidden))
    }

    @Test func actionsGiveValues() throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/><b/><c/></d></instance>"
                + "<setvalue ref=\"/d/a\" event=\"xforms-ready\" value=\"'x'\"/>"
                + "<setvalue ref=\"/d/b\" event=\"odk-instance-first-load\">y</setvalue>",
            "<input ref=\"/d/a\"><setvalue ref=\"/d/c\" event=\"odk-instance-first-load xforms-value-changed\" value=\"/d/a + 1\"/></input>"
                + "<input ref=\"/d/b\"/>")
        #expect(reading.form.nodes.map(\.defaultValue) == ["x", "y", "${a} + 1"])
        #expect(reading.form.nodes[2].trigger == ["a"] && reading.form.nodes[2].calculation == "${a} + 1")
    }

    @Test func otherListsAreReadWhereNothingLooksThemUp() throws {
        let instance =
            "<instance><d id=\"f\"><a/></d></instance><instance id=\"l\"><towns><town><key>k</key><label>L</label></town></towns></instance>"
        let control =
            "<select1 ref=\"/d/a\"><itemset nodeset=\"instance('l')/towns/town\"><value ref=\"key\"/><label ref=\"label\"/></itemset></select1>"
        let reading = try form(instance, control)
        #expect(FormFixtures.lines(reading).isEmpty && reading.form.list("l")?.choices.map(\.name) == ["k"])
        let used = try form(
            instance + "<bind nodeset=\"/d/a\" relevant=\"instance('l')/towns/town/key = 'k'\"/>", control)
        #expect(used.findings.hasErrors)
    }

    @Test(arguments: [
        ("<a/>", "an XForm has the elements head, model and body"),
        ("<h:html xmlns:h=\"h\"><h:head><model/></h:head><h:body/></h:html>", "the model has no instance"),
        ("<html><head><model><instance><d/><e/></instance></model></head><body/></html>", "several primary instances"),
        (
            "<html><head><model><instance><d/></instance><instance><e/></instance></model></head><body/></html>",
            "several primary instances"
        ),
        ("<!DOCTYPE html><html/>", "document type"),
    ])
    func whatIsNoFormIsRefused(text: String, part: String) {
        do throws(FormFileError) {
            _ = try XFormImport.form(of: Array(text.utf8), options: FormImportOptions(file: "a.xml"))
            #expect(Bool(false), "it is read")
        } catch {
            #expect(error.description.containsBytes(of: part), "\(error)")
        }
    }

    @Test(arguments: [
        ("/d/b", false), (" ../b ", false), ("instance('l')/root/item[name = /d/b]/label", false), ("/d/b + 1", true),
        ("format-date(/d/b, '%Y')", true), ("/d/b[1]", true),
    ])
    func expressionsInTextsAreNamed(value: String, isNamed: Bool) throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/><b/></d></instance>",
            "<input ref=\"/d/b\"/><input ref=\"/d/a\"><label>A <output value=\"\(value)\"/></label></input>")
        #expect(FormFixtures.lines(reading).contains { $0.contains("of an expression") } == isNamed)
    }

    @Test func whatCannotBeAskedIsNamedWithItsLine() throws {
        let reading = try form(
            "<instance><d id=\"f\"><a/><b/></d></instance>\n<submission base64RsaPublicKey=\"k\"/>",
            "\n<upload ref=\"/d/a\" mediatype=\"osm/*\"/><input ref=\"/d/zz\"/>\n"
                + "<select1 ref=\"/d/b\"><itemset nodeset=\"instance('l')/x\"><copy ref=\".\"/></itemset></select1>")
        #expect(
            FormFixtures.lines(reading).map { $0.split(separator: ".")[0] } == [
                "2:1: error F127: records cannot be encrypted for this key",
                "3:1: error F127: 'input' is for no node of the instance, or is no control",
                "3:1: error F127: 'osm' cannot be asked here",
                "4:1: error F127: 'copy' cannot be asked here",
            ])
    }
}

extension FormNode {
    /// The node as a definition has it, without its children and its origin.
    fileprivate var rules: String {
        var node = self
        node.nodes = []
        node.sourceRow = nil
        return String(decoding: Form.canonical(node.object), as: UTF8.self)
    }
}

extension ChoiceList.Content {
    fileprivate var json: [String] {
        guard case .choices(let choices) = self else { return [] }
        return choices.map { choice in
            var choice = choice
            choice.sourceRow = nil
            return String(decoding: Form.canonical(choice.object), as: UTF8.self)
        }
    }
}
