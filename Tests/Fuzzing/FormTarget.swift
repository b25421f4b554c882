import DocumentValues
import FormLogic

extension FuzzTarget {
    /// Any text as an expression of a form, evaluated at several nodes of a record, and its value stored in every type.
    static let formExpression = FuzzTarget(name: "form-expression", seeds: { expressionSeeds.map { Array($0.utf8) } }) {
        bytes in
        let source = text(bytes)
        var evaluator = FormFuzz.evaluator
        for (path, isPredicate) in [("z", false), ("page", false), ("n", true)] {
            let name = Name(path)
            guard let owner = evaluator.outline(of: name) else { continue }
            let expression: FormExpression
            do throws(ExpressionError) {
                expression = try evaluator.program.compile(source, owner: owner, isPredicate: isPredicate)
            } catch {
                check(error.position <= source.unicodeScalars.count, "an error is behind the text")
                throw error
            }
            for node in evaluator.record.nodes(of: owner) {
                evaluate(expression, at: .record(node), evaluator: &evaluator)
            }
            evaluate(expression, at: .missingChild(of: Record.root), evaluator: &evaluator)
        }
        _ = DefaultText.isDynamic(source, type: .text)
        _ = FormPattern.match("abc 123", pattern: source)
        _ = GeoPoint.list(source)
    }

    private static func evaluate(_ expression: FormExpression, at node: NodeReference, evaluator: inout FormEvaluator) {
        let random = evaluator.state.random
        let (value, reports) = evaluator.value(of: expression, at: node)
        evaluator.state.random = random
        let again = evaluator.value(of: expression, at: node)
        let conversions = evaluator.state.conversions
        check(conversions.text(value) == conversions.text(again.value), "an expression has two values")
        check(reports == again.reports, "an expression has different reports")
        for type in QuestionType.PlainType.allCases {
            let stored = AnswerStoring(conversions).answer(value, for: .plain(type)).answer
            guard let stored else { continue }
            check(Answer(stored.json, type: .plain(type)) == stored, "\(stored) of \(type) is not read again")
        }
    }

    /// A definition with answers, as JSON: what is read is written as the same.
    static let formDefinition = FuzzTarget(
        name: "form-definition", seeds: { [Array(FormFuzz.definition.utf8), Array(FormFuzz.filled.utf8)] }
    ) { bytes in
        let object = try JSONObject(parsing: bytes)
        let form = FormReader.read(object).form
        let again = FormReader.read(form.definition)
        check(again.form.definition == form.definition, "a definition changes by being written")
        check(again.form.digest == form.digest && again.form.statedDigest == form.digest, "a digest changes")
        let program = FormProgram(form)
        let answers = object["answers"]?.objectValue ?? [:]
        let record = Record.read(answers, outline: program.outline) { "key" }.record
        let written = record.answers()
        check(Record.read(written, outline: program.outline) { "key" }.record.answers() == written, "answers change")
    }

    private static let expressionSeeds = [
        "if(${age} > 18, 'adult', 'minor')", "sum(${person}[page < 18]/pets) div 2 - -1.5 * 3 mod 2",
        "${person}[position() = position(current()/..) - 1]/pname | ../page",
        "join(', ', instance('town')/root/item/label)",
        "instance('town')/root/item[name = ${z} and region != 'n']/pop >= 100 or not(true())",
        "indexed-repeat(${n}, ${person}, 1, ${visit}, position(..))", "jr:choice-name(${reg}, '${reg}')",
        "format-date(date(${d} + 1), '%a %d %b %Y')", "regex(${z}, '^(a+)+$') and selected-at(${z}, 1) = \"x\"",
        "round(1.005, 2) + int(-3.9) + pow(2, 10)", "count(randomize(instance('town')/root/item, 42))",
        "substr(concat(${z}, uuid(3)), -3) = translate('hello', 'el', 'ip')", "digest('foo', 'SHA-256', 'hex')",
        "distance('0 0;0 1') + area('0 0;0 1;1 1') > 1 or geofence('0 0', '0 0;0 1;1 1;0 0') or intersects('0 0;1 1')",
        "/data/person[1]/visit[n > 1]/n/.. = ./.. or self::node() or @version or child::*",
        "${last-saved#z} = pulldata('town', 'label', 'name', 'c') or '2026-03-04T10:00:00.000+01:00' > now()",
        "randomize(${person})[last()]/page + checklist(-1, 2, ${z}) + weighted-checklist(1, 2, ${z}, 3)",
        "((((1))))", "once(coalesce(${noint}, 0) + 1)", "decimal-date-time(date-time(20516.5)) + decimal-time('06:00')",
    ]
}

/// The form and the record of the targets.
private enum FormFuzz {
    static let definition = """
        {"type":"form","schema":2,"form":"ctx","version":"7","lists":{"region":[{"name":"n","label":{"en":"North"}}],
        "town":[{"name":"a","label":"Alba","columns":{"region":"n","pop":"100"}},{"name":"c"}]},"nodes":[
        {"name":"z","type":"text"},{"name":"age","type":"integer","constraint":". > 0"},{"name":"noint","type":"integer"},
        {"name":"d","type":"date"},{"name":"reg","type":"select_one","list":"region"},
        {"name":"person","type":"repeat","nodes":[{"name":"pname","type":"text"},{"name":"page","type":"decimal"},
        {"name":"pets","type":"integer"},{"name":"visit","type":"repeat","nodes":[{"name":"n","type":"integer"}]}]},
        {"name":"who","type":"select_one","list":"${pname}","choice_filter":"${page} > 1"}],
        "answers":{"z":"a b","age":42,"d":"2026-03-04","reg":"n","person":[{"@key":"a","pname":"Ann","page":1.5,
        "visit":[{"@key":"b","n":1},{"@key":"c"}]},{"@key":"d","pets":2}]}}
        """

    static let filled = """
        {"form":"f","title":{"en":"F","de":"F"},"nodes":[{"name":"g","type":"group","nodes":[{"name":"p","type":"geopoint"},
        {"name":"m","type":"select_multiple_from_file","file":"t.csv","parameters":{"value":"id"}}]},
        {"name":"i","type":"image","media":{"big-image":"a.png"}},{"name":"t","type":"time"}],"files":{"t.csv":{"kind":"csv"}},
        "entities":[{"list_name":"l"}],"record":{"inspection":{"site":"t"}},"answers":{"t":"10:00","i":{"name":"a.jpg"},
        "g":{"p":{"latitude":1,"longitude":2},"m":["x","y"]},"other":1}}
        """

    static let evaluator: FormEvaluator = {
        do {
            let object = try JSONObject(parsing: Array(definition.utf8))
            let form = FormReader.read(object).form
            let program = FormProgram(form)
            let answers = object["answers"]?.objectValue ?? [:]
            let state = FunctionState(
                conversions: Conversions(zone: FixedFormZone(seconds: 3_600)), now: 1_772_631_930_500,
                random: FormRandom(seed: 1))
            return FormEvaluator(
                program: program, record: Record.read(answers, outline: program.outline) { "key" }.record,
                instances: FormInstances(lists: form.lists, language: nil, fallback: nil), state: state)
        } catch {
            fatalError("\(error)")
        }
    }()
}

extension FormEvaluator {
    fileprivate func outline(of name: Name) -> FormOutline.ID? { program.outline.nodes(named: name).first }
}
