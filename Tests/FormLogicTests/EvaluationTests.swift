import DocumentValues
import FormLogic
import Testing

/// What the tables of the specification do not show.
@Suite struct EvaluationTests {
    private func value(
        _ text: String, at path: String = "z", change: (inout FormEvaluator) throws -> Void = { _ in }
    ) throws -> (text: String, reports: [String]) {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node(path, in: evaluator.record)
        try change(&evaluator)
        let expression = try evaluator.program.compile(text, owner: evaluator.record[node].formNode)
        let (value, reports) = evaluator.value(of: expression, at: .record(node))
        return (evaluator.state.conversions.text(value), reports.map(\.code.rawValue))
    }

    // MARK: Relevance

    @Test(arguments: [
        ("${nm}", ""), ("count(${person})", "2"), ("sum(${page})", "15"), ("/data/g/ing", ""),
        ("position(${person}[2])", "3"),
        ("count(/data/*)", "22"),
    ])
    func whatIsNotRelevantIsNotThere(expression: String, expected: String) throws {
        let result = try value(expression) { evaluator in
            for path in ["nm", "person[2]", "g", "g/ing"] {
                evaluator.record.setRelevant(false, of: try ContextForm.node(path, in: evaluator.record))
            }
        }
        #expect(result.text == expected)
    }

    // MARK: Paths

    @Test(arguments: [
        ("/data/person/visit/n", "person[2]/page", "3"), ("count(/data/person/visit)", "person[1]/page", "2"),
        ("count(${n})", "person[1]/visit[2]/n", "1"), ("count(../../visit)", "person[1]/visit[2]/n", "2"),
        ("sum(${person}/page)", "person[2]/page", "30"), ("count(/data/person/.)", "z", "3"),
        ("count(${pname} | ${page} | ${pname})", "z", "6"),
        ("join(' ', ../pname | /data/nm)", "person[2]/page", "Ana Lee Bob"),
        ("name", "z", ""), ("count(..)", "z", "1"), ("count(../..)", "z", "0"), ("count(/)", "z", "0"),
        ("/data/@id", "z", "ctx"), ("../@version", "z", "7"), ("count(../@*)", "z", "2"),
        ("self::z", "z", ""), ("count(self::node())", "z", "1"), ("count(self::a)", "z", "0"),
        ("parent::person/pname", "person[2]/page", "Bob"), ("count(child::*)", "person[1]/pname", "0"),
        ("${person}[last()]/pname", "z", "Cy"), ("${person}[position() > 1][1]/pname", "z", "Bob"),
        ("(${pname})[2]", "z", "Bob"), ("current()/../pname", "person[3]/page", "Cy"),
        ("instance('town')/root/item[2]/label", "z", "Cove"),
        ("position(instance('town')/root/item[name = 'd'])", "z", "3"),
        ("count(instance('town')/root/item[pop = 200]/..)", "z", "1"), ("count(instance('town')/root/*/*)", "z", "12"),
        ("instance('town')/root/item[pop >= ${page}][1]/name", "person[2]/page", "a"),
        ("count(instance('town')/root/item[region = true()])", "z", "3"), ("position()", "person[2]/page", "1"),
        ("count(${last-saved#nm})", "z", "0"), ("indexed-repeat(${n}, ${person}, 1, ${visit}, 0)", "z", "1"),
        ("indexed-repeat(${n}, ${visit}, 2)", "person[1]/page", "2"),
        ("count(randomize(${person}[page > 9], 3))", "z", "2"),
    ])
    func aPathNamesItsNodes(expression: String, path: String, expected: String) throws {
        #expect(try value(expression, at: path).text == expected)
    }

    /// A look-up by an index gives what the search through all rows gives.
    @Test(arguments: [
        "name = 'c'", "'c' = name", "name = ${reg}", "pop = 200", "pop = '200'", "pop = 200.0", "pop = number('x')",
        "region = 'n' and pop > 100", "name = current()/../town", "region = 'n'", "name = ''", "pop = 1 div 0",
        "nothing = ''", "pop = ${d}", "region = (1 = 1)",
    ])
    func anIndexChangesNoResult(predicate: String) throws {
        let counted = "join(',', instance('town')/root/item[\(predicate)]/name)"
        let scanned = "join(',', instance('town')/root/item[(\(predicate)) and true()]/name)"
        let indexed = try value(counted) { evaluator in
            evaluator.instances.index(
                ["town": ["name", "pop", "region"]], conversions: evaluator.state.conversions)
        }
        #expect(try indexed == value(scanned))
        #expect(try indexed == value(counted))
    }

    // MARK: Choices

    @Test func choicesAreThoseThatTheFilterAdmits() throws {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node("town", in: evaluator.record)
        let question = evaluator.record[node].formNode
        #expect(evaluator.choices(of: question, at: .record(node)).map(\.name) == ["a", "c"])
        #expect(evaluator.choice("a", of: question, at: .record(node))?.label == "Alba")
        #expect(evaluator.choice("d", of: question, at: .record(node)) == nil)
        evaluator.record.setAnswer(.text("s"), of: try ContextForm.node("reg", in: evaluator.record))
        #expect(evaluator.choices(of: question, at: .record(node)).map(\.name) == ["d"])
    }

    @Test func answersInARepeatAreChoices() throws {
        var form = try ContextForm.form()
        var who = FormNode(name: "who", kind: .question(.select(.one, from: .answers("pname"))))
        who.choiceFilter = "${page} > 8"
        form.nodes.append(who)
        let old = try ContextForm.evaluator()
        let program = FormProgram(form)
        #expect(program.problems.isEmpty)
        let read = Record.read(old.record.answers(), outline: program.outline) { "k" }
        var evaluator = FormEvaluator(
            program: program, record: read.record, instances: old.instances, state: old.state)
        let node = try ContextForm.node("who", in: evaluator.record)
        let choices = evaluator.choices(of: evaluator.record[node].formNode, at: .record(node))
        #expect(choices.map(\.name) == ["Ann", "Bob"])
    }

    // MARK: Reports and limits

    @Test(arguments: [
        ("pulldata('nofile', 'a', 'b', 'c')", "", ["R5"]), ("digest('a', 'CRC')", "", ["R6"]),
        ("regex('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', '(a+)+c')", "false", ["R3"]),
        ("regex('ab', 'a|ab')", "true", []), ("regex('a)(b', 'a)(b')", "false", ["R3"]),
        ("date(99999999)", "", ["R4"]), ("date('0000-01-01')", "", ["R4"]), ("date('2026-02-29')", "", ["R1"]),
        ("${pname}", "Ann", ["R2"]), ("${pname} = 'Ann'", "true", ["R2"]), ("uuid(1000000)", "", ["R8"]),
        ("area('1 2;x')", "NaN", ["R1"]), ("format-date('2026-01-01', '%')", "", ["R1"]), ("once(${n})", "1", ["R2"]),
    ])
    func aReportGoesWithAValue(expression: String, expected: String, reports: [String]) throws {
        let result = try value(expression)
        #expect(result.text == expected && result.reports == reports)
    }

    /// Predicates in predicates look at a power of the rows; the steps end before.
    @Test func workIsBounded() throws {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node("z", in: evaluator.record)
        let rows = (0..<2_000).map { ["r\($0)", "x", "n"] as [String?] }
        evaluator.instances["town"] = .table(TableInstance(columns: ["name", "label", "region"], rows: rows))
        let all = "instance('town')/root/item"
        let text = "count(\(all)[count(\(all)[count(\(all)[region = position()]) > 1]) > 1])"
        let expression = try evaluator.program.compile(text, owner: 1)
        let reports = evaluator.value(of: expression, at: .record(node)).reports
        #expect(reports.map(\.code) == [.limit] && evaluator.state.steps == 0)
    }

    @Test func aFilterThatAsksForItsOwnQuestionEnds() throws {
        var form = try ContextForm.form()
        form.nodes[form.nodes.count - 1].choiceFilter = "jr:choice-name(name, '${town}') != ''"
        let program = FormProgram(form)
        let old = try ContextForm.evaluator()
        var evaluator = FormEvaluator(
            program: program, record: Record(program.outline), instances: old.instances, state: old.state)
        let node = try ContextForm.node("town", in: evaluator.record)
        _ = evaluator.choices(of: evaluator.record[node].formNode, at: .record(node))
        #expect(evaluator.state.takeReports().map(\.code).contains(.limit))
    }

    // MARK: Dates

    @Test(arguments: [
        ("fr", "mer. 04 mars"), ("de", "Mi. 04 März"), ("pt-BR", "qua. 04 mar."), ("xx", "Wed 04 Mar"),
    ])
    func namesAreThoseOfTheLanguage(language: String, expected: String) throws {
        let result = try value("format-date(${d}, '%a %d %b')") { evaluator in
            let state = evaluator.state
            evaluator.state = FunctionState(
                conversions: state.conversions, now: state.now, language: Name(language), random: state.random)
        }
        #expect(result.text == expected)
    }

    @Test(arguments: [
        // The clock jumps from 2:00 to 3:00, and shows 2:00 twice.
        ("format-date-time('2026-03-29T02:30:00', '%H:%M')", "03:30"),
        ("decimal-date-time('2026-10-25T02:30:00') * 24 mod 24", "0.5"),
        ("format-date-time('2026-10-25T01:30:00Z', '%H:%M')", "02:30"), ("date('0001-01-01')", "0001-01-01"),
        ("date(-719162)", "0001-01-01"), ("date(2932896)", "9999-12-31"), ("format-date('2024-12-30', '%W')", "1"),
        ("format-date('2021-01-03', '%W')", "53"), ("date('2024-02-29') + 1", "19783"),
        ("date('1969-12-31') + 0", "-1"),
        ("decimal-time(0.75)", "0.7916666666666666"), ("format-date('', '%Y')", ""), ("date('')", ""),
    ])
    func aDateIsLocal(expression: String, expected: String) throws {
        let result = try value("string(\(expression))")
        #expect(result.text == expected && result.reports.isEmpty)
    }
}
