import DocumentValues
import FormLogic
import Testing

/// What authors read about an expression that cannot be used.
@Suite struct ExpressionErrorTests {
    private func error(of text: String) throws -> ExpressionError {
        let program = FormProgram(try ContextForm.form())
        let owner = try #require(program.outline.nodes(named: "z").first)
        return try #require(throws: ExpressionError.self) { try program.compile(text, owner: owner) }
    }

    @Test(arguments: [
        ("1 == 2", "'==' is not understood, write '='", 2), ("a && b", "'&&' is not understood, write 'and'", 2),
        ("a || b", "'||' is not understood, write 'or'", 2), ("!a", "'!' is not understood, write 'not(…)'", 0),
        ("${age} / 2", "'/' is no division here, write 'div'", 7), ("5/2", "'/' is no division here, write 'div'", 1),
        ("age / 2", "'/' is no division here, write 'div'", 6),
        ("${age} / ${w}", "'/' is no division here, write 'div'", 7),
        ("1 <> 2", "'<>' is not understood, write '!='", 2), ("1 ≤ 2", "'≤' is not understood, write '<='", 2),
        ("//age", "'//' is not understood; write the path from /data", 0),
        ("'abc", "the quotation mark has no second one behind the text", 0),
        ("following::x", "the axis 'following::' is not understood; write the path from /data", 0),
        ("(1 + 2", "')' is missing behind an expression in parentheses", 6), ("1)", "')' has no '(' before it", 1),
        ("1 2", "an operator is missing before this value", 2),
        ("${age} ${w}", "an operator is missing before ${w}", 7),
        ("1 +", "a value is missing at the end", 3), ("* 2", "an operator is missing before this value", 2),
        ("", "an expression is missing", 0), ("  ", "an expression is missing", 0),
        ("1 # 2", "'#' has no meaning in an expression", 2), ("$age", "'$' begins a reference such as ${name}", 0),
        ("${age", "'${' needs a name and '}'", 0), ("age[1", "']' is missing behind a predicate", 5),
        ("'a'[1]", "a predicate belongs behind a path", 3), ("1 | 2", "'|' joins paths only", 0),
        ("count(/data/age/text())", "a function cannot be a step of a path", 16),
    ])
    func aSlipGetsItsHint(text: String, message: String, position: Int) throws {
        let error = try error(of: text)
        #expect(error.message == message)
        #expect(error.position == position)
        #expect(["F112", "F115"].contains(error.code.rawValue))
    }

    @Test(arguments: [
        ("${aeg}", "F110", "no question is called 'aeg'", "Did you mean 'age'?"),
        ("selectd(${col}, 'r')", "F113", "no function is called 'selectd'", "Did you mean 'selected'?"),
        ("instance('twon')/root/item", "F107", "no list or file is called 'twon'", "Did you mean 'town'?"),
        ("if(1, 2)", "F114", "'if' needs three arguments: if(condition, then, otherwise)", nil),
        (
            "selected(${col}) = 'r'", "F114",
            "'selected' needs two arguments: selected(${question}, 'choice'), without '='", nil
        ),
        ("round(1, 2, 3)", "F114", "'round' needs 1 to 2 arguments, not 3", nil),
        ("today(1)", "F114", "'today' needs 0 arguments, not 1", nil),
        ("not()", "F114", "'not' needs 1 argument, not 0", nil),
        ("sum('a')", "F115", "argument 1 of 'sum' must be a path, such as ${name}", nil),
        ("count(1 + 1)", "F115", "argument 1 of 'count' must be a path, such as ${name}", nil),
        ("instance(${age})", "F115", "'instance' needs the name of a list in quotation marks", nil),
        (
            "indexed-repeat(${age}, ${person}, 1)", "F115",
            "argument 2 of 'indexed-repeat' must be a repeat around the question", nil
        ),
        (
            "jr:choice-name('r', 'x y')", "F115",
            "argument 2 of 'jr:choice-name' must be a question in quotation marks: '${name}'", nil
        ),
    ])
    func aFaultNamesItsPartAndTheWayOut(text: String, code: String, message: String, hint: String?) throws {
        let error = try error(of: text)
        #expect((error.code.rawValue, error.message, error.hint) == (code, message, hint))
    }

    @Test func aNameOfSeveralQuestionsIsRefused() throws {
        var form = try ContextForm.form()
        form.nodes.append(FormNode(name: "h", kind: .group, nodes: [FormNode(name: "age", kind: .question(.text))]))
        form.nodes[0].relevant = "${age} > 1"
        let problem = try #require(FormProgram(form).problems.first)
        #expect(problem.error.code == .ambiguousName && problem.member == "relevant")
        #expect(problem.error.message == "2 questions are called 'age'; give each a name of its own")
    }

    // MARK: Limits

    @Test func nestingHasALimit() throws {
        let deepest = String(repeating: "(", count: 99) + "1" + String(repeating: ")", count: 99)
        _ = try ExpressionParser.parse(deepest)
        #expect(try error(of: "(\(deepest))").code == .limit)
        #expect(try error(of: String(repeating: "not(", count: 200) + "1").code == .limit)
        #expect(try error(of: String(repeating: "a[", count: 9) + "1").code == .limit)
    }

    @Test func lengthHasALimit() throws {
        let longest = "'" + String(repeating: "é", count: FormLimits.expression - 2) + "'"
        _ = try ExpressionParser.parse(longest)
        #expect(try error(of: longest + " ").code == .limit)
    }

    /// A chain of operators takes no stack.
    @Test func aLongChainIsEvaluated() throws {
        var evaluator = try ContextForm.evaluator()
        let node = try ContextForm.node("z", in: evaluator.record)
        let chain = try evaluator.program.compile("1" + String(repeating: "-1", count: 10_000), owner: 1)
        #expect(evaluator.state.conversions.number(evaluator.value(of: chain, at: .record(node)).value) == -9_999)
        let signs = try evaluator.program.compile(String(repeating: "-", count: 20_001) + "1", owner: 1)
        #expect(evaluator.state.conversions.number(evaluator.value(of: signs, at: .record(node)).value) == -1)
    }
}
