import DocumentValues
import FormLogic
import Testing

/// Selects whose choices come in a random order.
@Suite struct ChoiceOrderTests {
    private static let names = (0..<12).map { "c\($0)" }
    private static let lists =
        #"{"l":[\#(names.map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]}"#

    private func form(_ parameters: String, seed: UInt64 = 1) throws -> FilledForm {
        let select = #"{"name":"q","type":"select_one","list":"l","parameters":{\#(parameters)}}"#
        return try FilledForm(
            #"[{"name":"s","type":"text"},\#(select),{"name":"r","type":"repeat","nodes":[{"name":"p","type":"select_one","list":"l","parameters":{"randomize":"true"}}]}]"#,
            lists: Self.lists, seed: seed)
    }

    private func order(_ path: String, in form: FilledForm) throws -> [String] {
        let node = try form.node(path)
        var evaluator = form.state.evaluator
        return evaluator.choices(of: form.state.record[node].formNode, at: .record(node)).map(\.name.text)
    }

    @Test func withoutTheParameterItIsThatOfTheList() throws {
        for parameters in ["", #""randomize":"false""#] { #expect(try order("q", in: form(parameters)) == Self.names) }
    }

    @Test func aSeedDecidesIt() throws {
        let fixed = #""randomize":"true","seed":"42""#
        let expected = Shuffle.shuffled(Self.names, seed: 42)
        #expect(try order("q", in: form(fixed)) == expected && expected != Self.names)
        #expect(try order("q", in: form(fixed, seed: 7)) == expected)
        var answered = try form(#""randomize":"true","seed":"${s}""#)
        try answered.answer("s", with: "42")
        #expect(try order("q", in: answered) == expected)
        try answered.answer("s", with: "abc")
        let other = Shuffle.shuffled(
            Self.names, seed: Shuffle.seed(.text("abc"), conversions: answered.state.evaluator.state.conversions))
        #expect(try order("q", in: answered) == other)
        #expect(answered.state.evaluator.seeds.keys.sorted() == [try answered.node("r[1]/p")])
    }

    /// It stays while a record is filled, and each question and instance has its own.
    @Test func withoutASeedOneIsDrawn() throws {
        var filled = try form(#""randomize":"true""#)
        let first = try order("q", in: filled)
        #expect(first.sorted() == Self.names.sorted() && first != Self.names)
        try filled.answer("s", with: "x")
        #expect(try order("q", in: filled) == first)
        try filled.add("r")
        let both = try [order("r[1]/p", in: filled), order("r[2]/p", in: filled)]
        #expect(both[0] != both[1] && filled.state.evaluator.seeds.count == 3)
        try filled.remove("r[1]")
        #expect(try order("r[1]/p", in: filled) == both[1] && filled.state.evaluator.seeds.count == 2)
        #expect(try order("q", in: form(#""randomize":"true""#, seed: 2)) != first)
    }

    /// Choices that a filter leaves out are no part of it.
    @Test func aFilterComesFirst() throws {
        let node =
            #"[{"name":"q","type":"select_one","list":"l","choice_filter":"name != 'c3'","parameters":{"randomize":"true","seed":"42"}}]"#
        let filled = try FilledForm(node, lists: Self.lists)
        #expect(try order("q", in: filled) == Shuffle.shuffled(Self.names.filter { $0 != "c3" }, seed: 42))
    }
}
