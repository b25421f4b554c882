import DocumentValues
import FormLogic
import Testing

@Suite struct FormStateTests {
    // MARK: Opening

    @Test func aNewRecordHasPreloadsDefaultsAndCalculations() throws {
        let form = try FilledForm(
            """
            [{"name":"s","type":"start"},{"name":"t","type":"today"},{"name":"u","type":"username"},
             {"name":"i","type":"integer","default":"4"},{"name":"x","type":"integer","default":"x"},
             {"name":"c","type":"calculate","calculation":"${i} + ${e}"},
             {"name":"e","type":"integer","default":"1 + 1"},
             {"name":"r","type":"repeat","nodes":[{"name":"p","type":"calculate","calculation":"position(..)"},
               {"name":"q","type":"repeat","nodes":[{"name":"n","type":"text","default":"a"}]}]}]
            """)
        #expect(try form.text("s") == "2026-03-04T13:45:30.500+00:00" && form.text("t") == "2026-03-04")
        #expect(try form.text("u") == "ann" && form.text("i") == "4" && form.text("x").isEmpty)
        #expect(try form.text("e") == "2" && form.text("c") == "6")
        #expect(try form.text("r[1]/p") == "1" && form.text("r[1]/q[1]/n") == "a")
        #expect(try form.text("meta/instanceID").utf8.count == 41)
    }

    @Test func aNewRecordBeginsWithTheInstancesOfItsForm() throws {
        let nodes = """
            [{"name":"r","type":"repeat","instances":[{"a":"5","g":{"b":"x"}},{"q":[{"c":"1"},{}]},{"a":""}],"nodes":[
               {"name":"a","type":"integer","default":"3"},{"name":"g","type":"group","nodes":[{"name":"b","type":"text"}]},
               {"name":"d","type":"integer","default":"${a} + 1"},
               {"name":"q","type":"repeat","nodes":[{"name":"c","type":"integer","default":"9"}]}]},
             {"name":"s","type":"calculate","calculation":"sum(${a})"}]
            """
        var form = try FilledForm(nodes)
        #expect(
            try ["r[1]/a", "r[2]/a", "r[3]/a", "r[1]/g/b", "r[1]/d", "s"].map { try form.text($0) } == [
                "5", "3", "", "x", "6", "8",
            ])
        #expect(try ["r[1]/q[1]/c", "r[2]/q[1]/c", "r[2]/q[2]/c"].map { try form.text($0) } == ["9", "1", "9"])
        // One that a person adds is an ordinary one, and a draft keeps what it has.
        try form.add("r")
        #expect(try form.text("r[4]/a") == "3" && form.text("r[4]/q[1]/c") == "9")
        let draft = try FilledForm(nodes, answers: #"{"r":[{"a":1}]}"#)
        let formNode = try draft.formNode("r")
        #expect(draft.state.record.nodes(of: formNode).count == 1)
    }

    @Test func aDraftKeepsItsAnswersAndCalculatesAgain() throws {
        let form = try FilledForm(
            """
            [{"name":"a","type":"integer","default":"1"},{"name":"c","type":"calculate","calculation":"${a} * 2"},
             {"name":"o","type":"calculate","calculation":"once(${a})"}]
            """, answers: #"{"c":7,"o":"old"}"#)
        #expect(try form.text("a").isEmpty && form.text("c").isEmpty && form.text("o") == "old")
    }

    @Test func theLastSavedRecordGivesDefaults() throws {
        let nodes =
            #"[{"name":"g","type":"group","nodes":[{"name":"street","type":"text","default":"${last-saved#street}"}]}]"#
        var first = try FilledForm(nodes)
        #expect(try first.text("g/street").isEmpty)
        try first.answer("g/street", with: "Mill Lane")
        #expect(try FilledForm(nodes, lastSaved: first.state.record).text("g/street") == "Mill Lane")
    }

    // MARK: Answers

    @Test func whatDependsOnAnAnswerFollowsItAndNothingElse() throws {
        var form = try FilledForm(
            """
            [{"name":"a","type":"integer"},{"name":"b","type":"integer"},{"name":"d","type":"calculate","calculation":"${c} + 1"},
             {"name":"c","type":"calculate","calculation":"${a} + 1"},{"name":"e","type":"calculate","calculation":"${b} + 1"}]
            """)
        try form.answer("a", with: 1)
        #expect(form.changedNames == ["a", "c", "d"] && form.state.evaluations == 2)
        #expect(try form.text("d") == "3")
        try form.answer("a", with: 1)
        #expect(form.changes.isEmpty && form.state.evaluations == 0)
        try form.answer("a", with: nil)
        #expect(try form.changedNames == ["a", "c", "d"] && form.text("d").isEmpty)
    }

    // MARK: Many instances

    private static let numbered = """
        [{"name":"r","type":"repeat","nodes":[{"name":"k","type":"text"},
           {"name":"own","type":"calculate","calculation":"concat(${k}, 'x')"},
           {"name":"place","type":"calculate","calculation":"position(..)"}]},
         {"name":"n","type":"calculate","calculation":"count(${r})"}]
        """

    /// Not once more for each that is there already.
    @Test(arguments: [10, 40]) func manyInstancesAreCalculatedOnce(count: Int) throws {
        var form = try FilledForm(Self.numbered)
        form.changes = form.state.add(
            count, of: try form.formNode("r"), in: Record.root, now: FilledForm.noon)
        #expect(form.state.evaluations <= 3 * count)
        #expect(try form.text("n") == "\(count + 1)" && form.text("r[\(count)]/place") == "\(count)")
    }

    @Test func anInstanceDoesNotConcernWhatOthersReadOfThemselves() throws {
        var form = try FilledForm(
            """
            [{"name":"r","type":"repeat","nodes":[{"name":"k","type":"text"},
               {"name":"g","type":"group","relevant":"${k} != ''","nodes":[{"name":"m","type":"text"}]},
               {"name":"own","type":"calculate","calculation":"concat(${k}, ${m}, 'x')"}]}]
            """)
        for count in 2...6 {
            try form.add("r")
            // Its own two rules, and the second once more when the group has gone.
            #expect(form.state.evaluations <= 3)
            try form.answer("r[\(count)]/k", with: "a")
            #expect(form.state.evaluations <= 3)
        }
        try form.remove("r[2]")
        #expect(try form.state.evaluations == 0 && form.text("r[5]/own") == "ax")
    }

    /// Also where a default reads what the instances before it have changed.
    @Test(arguments: ["", #","default":"${n} + 1""#]) func manyInstancesAreAsOneAfterAnother(member: String) throws {
        let nodes = Self.numbered.replacing(#""k","type":"text""#, with: #""k","type":"text"\#(member)"#)
        var (single, many) = (try FilledForm(nodes), try FilledForm(nodes))
        for _ in 0..<5 { try single.add("r") }
        many.changes = many.state.add(5, of: try many.formNode("r"), in: Record.root, now: FilledForm.noon)
        #expect(many.state.record.answers() == single.state.record.answers())
        #expect(try many.text("r[4]/k") == (member.isEmpty ? "" : "4"))
        let instances = many.state.record.children(of: Record.root, formNode: try many.formNode("r"))
        _ = many.state.remove(Array(instances[2...]), now: FilledForm.noon)
        for position in [6, 5, 4, 3] { try single.remove("r[\(position)]") }
        #expect(many.state.record.answers() == single.state.record.answers())
        #expect(try many.text("n") == "2")
    }

    @Test func anAnswerInAnInstanceConcernsThatInstance() throws {
        var form = try FilledForm(
            """
            [{"name":"n","type":"integer"},{"name":"r","type":"repeat","repeat_count":"${n}","nodes":[
               {"name":"x","type":"integer"},{"name":"y","type":"calculate","calculation":"${x} * 2"},
               {"name":"z","type":"text","relevant":"/data/r/x > 3"}]},
             {"name":"s","type":"calculate","calculation":"sum(${y})"}]
            """)
        try form.answer("n", with: 300)
        try form.answer("r[7]/x", with: 5)
        #expect(try form.state.evaluations == 3 && form.text("s") == "10")
        #expect(try form.isRelevant("r[7]/z") && !form.isRelevant("r[8]/z"))
    }

    // MARK: Relevance

    @Test func whatIsNotRelevantKeepsItsValueAndReadsAsEmpty() throws {
        var form = try FilledForm(
            """
            [{"name":"a","type":"text"},{"name":"g","type":"group","relevant":"${a} = 'y'","nodes":[
               {"name":"b","type":"integer"},{"name":"h","type":"group","relevant":"${b} > 1","nodes":[{"name":"c","type":"text"}]}]},
             {"name":"d","type":"calculate","calculation":"coalesce(${b}, 0) + count-non-empty(${c})"},
             {"name":"r","type":"repeat","relevant":"${a} = 'y'","nodes":[{"name":"e","type":"text","default":"e"}]}]
            """)
        #expect(try !form.isRelevant("g/b") && !form.isRelevant("r[1]/e") && form.text("d") == "0")
        try form.answer("a", with: "y")
        try form.answer("g/b", with: 2)
        try form.answer("g/h/c", with: "x")
        #expect(try form.text("d") == "3" && form.isRelevant("g/h/c"))
        try form.answer("a", with: "n")
        #expect(try form.text("d") == "0" && !form.isRelevant("g/h/c") && form.text("g/b") == "2")
        #expect(form.state.record.answers(isFinal: true).keys == ["a", "d", "meta"])
        try form.add("r")
        #expect(try !form.isRelevant("r[2]/e"))
        try form.answer("a", with: "y")
        #expect(try form.text("d") == "3" && form.isRelevant("r[2]/e") && form.isRelevant("g/h/c"))
    }

    /// Nothing vanishes through a defect.
    @Test func aRuleThatReportsShowsItsQuestion() throws {
        var form = try FilledForm(
            """
            [{"name":"p","type":"text"},{"name":"a","type":"text","relevant":"regex('x', ${p})","required":"regex('x', ${p})",
              "constraint":"regex(., ${p})"}]
            """)
        #expect(try !form.isRelevant("a") && form.state.allReports.isEmpty)
        try form.answer("p", with: "(")
        #expect(try form.isRelevant("a"))
        #expect(form.state.failures().isEmpty)
        #expect(form.state.allReports.map(\.report.code) == [.pattern, .pattern])
        let node = try form.node("a")
        #expect(form.state.failure(of: .text("z"), at: node) == nil)
    }

    // MARK: Triggers

    @Test func aTriggerSetsItsTargetOnce() throws {
        var form = try FilledForm(
            """
            [{"name":"a","type":"integer"},{"name":"b","type":"integer","calculation":"${a} + 1","trigger":["a"]},
             {"name":"c","type":"integer","calculation":"${b} * 10","trigger":["b"]},{"name":"t","type":"text","trigger":["a"]},
             {"name":"d","type":"calculate","calculation":"${b} + ${c}"}]
            """)
        try form.answer("t", with: "kept")
        try form.answer("a", with: 1)
        #expect(try form.text("b") == "2" && form.text("c") == "20" && form.text("d") == "22" && form.text("t").isEmpty)
        try form.answer("b", with: 5)
        #expect(try form.text("c") == "50")
        try form.answer("a", with: 1)
        #expect(try form.text("b") == "5")
    }

    @Test func triggersOfEachOtherEnd() throws {
        var form = try FilledForm(
            """
            [{"name":"a","type":"integer","calculation":"${b} + 1","trigger":["b"]},
             {"name":"b","type":"integer","calculation":"${a} + 1","trigger":["a"]}]
            """)
        try form.answer("a", with: 0)
        #expect(try form.state.allReports.map(\.report.code) == [.limit] && form.text("b") == "15")
    }

    // MARK: Repeats

    @Test func aCountAddsInstancesAndRemovesNone() throws {
        var form = try FilledForm(
            """
            [{"name":"n","type":"decimal"},{"name":"r","type":"repeat","repeat_count":"${n}","nodes":[
               {"name":"m","type":"integer"},{"name":"q","type":"repeat","repeat_count":"../m","nodes":[{"name":"x","type":"text","default":"d"}]}]},
             {"name":"c","type":"calculate","calculation":"count(${r})"},{"name":"e","type":"end"}]
            """)
        #expect(try form.text("c") == "0")
        try form.answer("n", with: 2.9)
        #expect(try form.text("c") == "2")
        try form.answer("r[2]/m", with: 1)
        #expect(try form.text("r[2]/q[1]/x") == "d")
        let keys = form.state.record.children(of: Record.root, formNode: try form.formNode("r")).map {
            form.state.record[$0].key
        }
        #expect(Set(keys).count == 2)
        try form.answer("n", with: 1)
        #expect(try form.text("c") == "2" && form.state.surplus == [form.node("r[2]")])
        _ = form.state.finalise(droppingSurplus: true, now: FilledForm.noon)
        #expect(try form.text("c") == "1" && form.state.surplus.isEmpty)
        #expect(try form.text("e") == "2026-03-04T13:45:30.500+00:00")
        try form.answer("n", with: 5_000)
        #expect(try form.text("c") == "1000" && form.state.allReports.map(\.report.code) == [.limit])
    }

    @Test func positionsCloseUp() throws {
        var form = try FilledForm(
            """
            [{"name":"r","type":"repeat","nodes":[{"name":"x","type":"integer"},
               {"name":"p","type":"calculate","calculation":"position(..)"},
               {"name":"sum","type":"calculate",
                "calculation":"${x} + coalesce(${r}[position() = position(current()/..) - 1]/sum, 0)"}]}]
            """)
        for _ in 0..<3 { try form.add("r") }
        for index in 1...4 { try form.answer("r[\(index)]/x", with: .int(index)) }
        #expect(try form.text("r[4]/sum") == "10")
        try form.remove("r[2]")
        #expect(try form.text("r[3]/sum") == "8" && form.text("r[3]/p") == "3")
        try form.add("r", at: 1)
        #expect(try form.text("r[2]/p") == "2" && form.text("r[1]/x").isEmpty && form.text("r[4]/x") == "4")
        try form.answer("r[1]/x", with: 5)
        #expect(try form.text("r[4]/sum") == "13")
    }

    // MARK: Choices

    @Test func choicesThatAreFilteredAwayAreTakenBack() throws {
        var form = try FilledForm(
            """
            [{"name":"g","type":"text"},{"name":"one","type":"select_one","list":"l","choice_filter":"group = ${g}"},
             {"name":"many","type":"select_multiple","list":"l","choice_filter":"group = ${g} or name = 'c'"},
             {"name":"len","type":"calculate","calculation":"count-selected(${many})"}]
            """,
            lists: """
                {"l":[{"name":"a","columns":{"group":"1"}},{"name":"b","columns":{"group":"1"}},{"name":"c","columns":{"group":"2"}}]}
                """)
        try form.answer("g", with: "1")
        try form.answer("one", with: "a")
        try form.answer("many", with: ["b", "c", "a"])
        #expect(try form.text("len") == "3")
        try form.answer("g", with: "2")
        #expect(try form.text("one").isEmpty && form.text("many") == "c" && form.text("len") == "1")
        #expect(form.changedNames == ["g", "one", "many", "len"])
    }

    // MARK: Validation

    @Test func aRankThatLacksAnOfferedChoiceIsAFailure() throws {
        var form = try FilledForm(
            """
            [{"name":"many","type":"select_multiple","list":"l"},
             {"name":"order","type":"rank","list":"l","choice_filter":"selected(${many}, name)"}]
            """, lists: #"{"l":[{"name":"a"},{"name":"b"},{"name":"c"}]}"#)
        try form.answer("many", with: ["a", "b"])
        try form.answer("order", with: ["b", "a"])
        #expect(form.state.failures().isEmpty)
        try form.answer("many", with: ["a", "c", "b"])
        #expect(form.state.failures().map(\.reason) == [.unranked("c")])
        try form.answer("order", with: ["c", "b", "a"])
        #expect(form.state.failures().isEmpty)
    }

    @Test func failuresComeInDocumentOrder() throws {
        var form = try FilledForm(
            """
            [{"name":"a","type":"integer","required":"true()"},{"name":"b","type":"integer","constraint":". > ${a}"},
             {"name":"h","type":"calculate","calculation":"1","required":"true()"},
             {"name":"r","type":"repeat","nodes":[{"name":"x","type":"range","parameters":{"start":"0","end":"1","step":"0.1"}}]},
             {"name":"s","type":"select_one","list":"l"},{"name":"n","type":"text","relevant":"false()","required":"true()"}]
            """, lists: #"{"l":[{"name":"y"}]}"#)
        try form.answer("b", with: 1)
        try form.answer("r[1]/x", with: 0.25)
        try form.answer("s", with: "z")
        #expect(form.state.failures().map(\.reason) == [.required, .constraint, .type, .choice("z")])
        try form.answer("a", with: 0)
        try form.answer("r[1]/x", with: 0.3)
        try form.answer("s", with: "y")
        #expect(form.state.failures().isEmpty)
        let node = try form.node("b")
        #expect(form.state.failure(of: .number(-1), at: node) == .constraint)
        #expect(try form.text("b") == "1")
    }
}
