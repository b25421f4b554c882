import DocumentValues
import FormLogic
import SeededRandom
import Testing

@testable import FormExchange

/// Forms that are written as YAML and read again.
@Suite struct FormYAMLWriterTests {
    @Test(arguments: ["kitchen_hygiene", "water_point"])
    func examplesReadBack(name: String) throws {
        try Self.check(FormYAML.read(try FormYAMLTests.text(of: name)).form, hint: name)
    }

    @Test func randomFormsReadBack() throws {
        for seed in 0..<UInt64(150) {
            var random = RandomForm(seed: seed)
            try Self.check(random.form(), hint: "seed \(seed)")
        }
    }

    @Test(arguments: [true, false])
    func textsReadBack(inFlow: Bool) {
        for seed in 0..<UInt64(4_000) {
            var random = RandomForm(seed: seed)
            let text = random.text()
            let written = YAMLQuoting.scalar(text, inFlow: inFlow)
            let (node, faults) = YAMLParser.parse(inFlow ? "a: {\(written): \(written)}" : "\(written): \(written)")
            let expected = JSONValue.string(text).description
            let map = "{\(text): \(expected)}"
            #expect(node?.description == (inFlow ? "{a: \(map)}" : map), "seed \(seed): \(written) \(faults)")
        }
    }

    @Test func textsAreWrittenPlainly() {
        let texts = ["yes", "2026-03-04", "${a} > 7 and b != 'c'", "Point d'eau", "°C", "-5", "a:b", "a#b"]
        #expect(texts.map { YAMLQuoting.scalar($0, inFlow: false) } == texts)
        let quoted = ["", " a", "a: b", "a #b", "- a", "[a", "'a", "a\nb", "#a", "?"]
        let written = ["''", "' a'", "'a: b'", "'a #b'", "'- a'", "'[a'", "\"'a\"", "\"a\\nb\"", "'#a'", "'?'"]
        #expect(quoted.map { YAMLQuoting.scalar($0, inFlow: false) } == written)
        #expect(YAMLQuoting.scalar("a, b?", inFlow: true) == "'a, b?'")
    }

    private static func check(_ form: Form, hint: String) throws {
        let text = FormYAML.write(form)
        let reading = FormYAML.read(text)
        #expect(reading.findings.isEmpty, "\(hint): \(reading.findings.shown.map(\.text)) in \(text)")
        #expect(reading.form.digest == form.digest, "\(hint): \(text)")
        #expect(FormYAML.write(reading.form) == text)
    }
}

/// Forms with every member, and texts with everything that is special in YAML.
struct RandomForm {
    private var random: SimulationRandom
    private var names = 0

    init(seed: UInt64) { random = SimulationRandom(seed: seed) }

    private static let pieces = [
        "a", "b c", ": ", ":", "#", " #", "'", "\"", "\\", "{", "}", "[", "]", ",", "- ", "?", "yes", "é", "\n", "\t",
        " ",
        "---", "...", "&", "*", "!", "|", ">", "%", "@", "`", "${q}", "\u{85}", "\u{2028}", "~", "1.0", "\u{1}",
        "\u{FEFF}",
    ]

    mutating func text() -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in random.pick(Self.pieces) ?? "" }.joined()
    }

    private static let languages = ["en", "de"].map { FormLanguage(code: $0, name: "") }

    private mutating func texts() -> FormText? {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: nil
        case 1: .plain(text())
        default:
            FormText(
                Self.languages.map { .init(language: $0.code, text: text()) }, languages: Self.languages)
        }
    }

    private mutating func some(_ text: String) -> String? { random.chance(30) ? text : nil }

    private mutating func some() -> String? { random.chance(30) ? "x" + text() : nil }

    mutating func form() -> Form {
        var form = Form(id: "f", version: text(), title: .plain(text()))
        form.languages = [FormLanguage(code: "en", name: text()), FormLanguage(code: "de", name: text())]
        form.defaultLanguage = random.chance(50) ? "de" : nil
        form.instanceName = some()
        form.settings.allowChoiceDuplicates = random.chance(50)
        form.settings.rest = ["submission_url": .string(text())]
        form.lists = [list("l"), list("m")]
        form.files = random.chance(50) ? [FormFile(name: "t.csv", kind: .csv)] : []
        form.texts = random.chance(50) ? [FormTextEntry(id: "/a/b:label", text: .plain(text()))] : []
        form.nodes = nodes(depth: 0)
        if random.chance(30) { form.record = .inspection([NamedText(name: "site", text: text())]) }
        if random.chance(30) { form.entities = [FormEntity(listName: "e", label: text())] }
        return form
    }

    private mutating func list(_ name: Name) -> ChoiceList {
        let hasColumns = random.chance(50)
        return ChoiceList(
            name: name,
            choices: (0..<Int.random(in: 0...3, using: &random)).map { index in
                var choice = Choice(name: Name("\(index)\(text())"), label: texts())
                if hasColumns { choice.columns = [NamedText(name: "region", text: text())] }
                return choice
            })
    }

    private mutating func nodes(depth: Int) -> [FormNode] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in node(depth: depth) }
    }

    private mutating func node(depth: Int) -> FormNode {
        names += 1
        let kinds: [FormNode.Kind] = [
            .question(.text), .question(.plain(.startGeopoint)), .question(.plain(.uriEmail)),
            .question(.select(.one, from: .list("l"))), .question(.select(.multiple, from: .file("t.csv"))),
            .question(.select(.rank, from: .answers("q"))), .question(.select(.one, from: .external("m"))), .group,
            .repeat,
        ]
        let kind = random.pick(depth < 3 ? kinds : Array(kinds.dropLast(2))) ?? .group
        var node = FormNode(name: Name("n\(names)"), kind: kind, label: texts())
        node.hint = texts()
        node.constraintMessage = texts()
        node.required = some("true()")
        node.constraint = some()
        node.relevant = some()
        node.calculation = some()
        node.defaultValue = some()
        node.saveTo = some()
        node.trigger = random.chance(20) ? ["a", "b"] : random.chance(20) ? ["c"] : []
        node.appearance = random.chance(20) ? ["multiline", "w1"] : []
        node.parameters = random.chance(20) ? [NamedText(name: "rows", text: text())] : []
        node.rest = random.chance(10) ? ["bind::x:y": .string(text())] : [:]
        if node.isRepeat { node.repeatCount = some("${n1}") }
        if node.type == nil { node.nodes = nodes(depth: depth + 1) }
        return node
    }
}
