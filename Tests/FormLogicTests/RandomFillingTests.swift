import DocumentValues
import FormLogic
import SeededRandom
import Testing

/// Random forms with random answers: what the state keeps by evaluating only what a change concerns is what a slow
/// evaluation of everything gives. `ObviousRules` knows no graph and no order.
@Suite struct RandomFillingTests {
    @Test(arguments: 0..<30)
    func theStateIsWhatEverythingEvaluatedGives(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let nodes = RandomForm.nodes(&random)
        var form = try FilledForm(nodes, seed: UInt64(seed))
        for step in 0..<12 {
            try expectSettled(form.state, "seed \(seed), step \(step): \(nodes)")
            try change(&form, random: &random)
        }
        try expectSettled(form.state, "seed \(seed): \(nodes)")
        // A draft that is opened again has the same answers.
        let answers = form.state.record.answers()
        let draft = try FilledForm(nodes, answers: String(decoding: answers.bytes, as: UTF8.self))
        #expect(draft.state.record.answers() == answers, "seed \(seed): \(nodes)")
    }

    /// Rules that wait until all answers are given have the results that they have one by one.
    @Test(arguments: 0..<30)
    func rulesThatWaitGiveTheSame(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let nodes = RandomForm.nodes(&random)
        var (oneByOne, waiting) = (try FilledForm(nodes, seed: UInt64(seed)), try FilledForm(nodes, seed: UInt64(seed)))
        waiting.state.deferRules()
        for _ in 0..<12 {
            var same = random
            try change(&oneByOne, random: &random)
            try change(&waiting, random: &same)
        }
        _ = waiting.state.catchUp(now: FilledForm.noon)
        #expect(waiting.state.record.answers() == oneByOne.state.record.answers(), "seed \(seed): \(nodes)")
        let relevant = [waiting, oneByOne].map { ObviousRules.relevant(in: $0.state.record) }
        #expect(relevant[0] == relevant[1], "seed \(seed): \(nodes)")
        try expectSettled(waiting.state, "seed \(seed): \(nodes)")
    }

    private func expectSettled(_ state: FormState, _ comment: String) throws {
        var rules = ObviousRules(state.evaluator)
        rules.settle()
        #expect(rules.answers == state.record.answers(), "\(comment)")
        #expect(rules.relevant == ObviousRules.relevant(in: state.record), "\(comment)")
    }

    private func change(_ form: inout FilledForm, random: inout SeededGenerator) throws {
        let record = form.state.record
        let outline = record.outline
        let repeats = outline.entries.indices.filter { outline[$0].isRepeat && outline[$0].node.repeatCount == nil }
        switch random.number(below: 4) {
        case 0 where !repeats.isEmpty:
            let chosen = repeats[random.number(below: repeats.count)]
            guard let parent = outline[chosen].parent else { return }
            let parents = record.nodes(of: parent)
            guard !parents.isEmpty, record.nodes(of: chosen).count < 12 else { return }
            _ = form.state.add(
                chosen, in: parents[random.number(below: parents.count)], at: 1 + random.number(below: 3),
                now: FilledForm.noon)
        case 1 where !repeats.isEmpty:
            let instances = record.nodes(of: repeats[random.number(below: repeats.count)])
            guard !instances.isEmpty else { return }
            _ = form.state.remove(instances[random.number(below: instances.count)], now: FilledForm.noon)
        default:
            let asked = outline.entries.indices.filter { outline[$0].type == .plain(.integer) }
            let nodes = record.nodes(of: asked[random.number(below: asked.count)])
            guard !nodes.isEmpty else { return }
            let answer = random.number(below: 5) == 0 ? nil : Answer.number(Double(random.number(below: 4)))
            _ = form.state.answer(answer, at: nodes[random.number(below: nodes.count)], now: FilledForm.noon)
        }
    }
}

/// Relevance and calculations, again and again over the whole record until nothing changes.
private struct ObviousRules {
    private var evaluator: FormEvaluator

    init(_ evaluator: FormEvaluator) { self.evaluator = evaluator }

    var answers: JSONObject { evaluator.record.answers() }
    var relevant: [Bool] { Self.relevant(in: evaluator.record) }

    /// Of all nodes, in document order.
    static func relevant(in record: Record) -> [Bool] {
        record.outline.entries.indices.flatMap { record.nodes(of: $0).map { record[$0].isRelevant } }
    }

    mutating func settle() {
        for _ in 0..<200 {
            let before = (answers, relevant)
            for formNode in evaluator.program.outline.entries.indices {
                for node in evaluator.record.nodes(of: formNode) { evaluate(node, formNode: formNode) }
            }
            if before.0 == answers, before.1 == relevant { return }
        }
        Issue.record("the rules do not settle")
    }

    private mutating func evaluate(_ node: Record.ID, formNode: FormOutline.ID) {
        let rules = evaluator.program.rules[formNode]
        let parent = evaluator.record[node].parent
        var isRelevant = parent.map { evaluator.record[$0].isRelevant } ?? true
        if let rule = rules.relevant {
            let isRepeat = evaluator.program.outline[formNode].isRepeat
            let context: NodeReference = if isRepeat, let parent { .missingChild(of: parent) } else { .record(node) }
            let result = evaluator.boolean(of: rule, at: context)
            isRelevant = isRelevant && (result.value || !result.reports.isEmpty)
        }
        evaluator.record.setRelevant(isRelevant, of: node)
        guard let rule = rules.calculation, let type = evaluator.program.outline[formNode].type else { return }
        let value = evaluator.value(of: rule, at: .record(node)).value
        let answer = AnswerStoring(evaluator.state.conversions).answer(value, for: type).answer
        evaluator.record.setAnswer(answer, of: node)
    }
}

/// A form whose rules only name questions before them, so that there is no circle.
private struct RandomForm {
    private var names: [String] = []
    private var repeats: [String] = []
    private var groups = 0
    private var random: SeededGenerator

    static func nodes(_ random: inout SeededGenerator) -> String {
        var form = RandomForm(random: random)
        let first = [form.integer(rule: nil), form.integer(rule: nil)]
        let nodes = first + form.children(count: 5, depth: 0)
        random = form.random
        return "[\(nodes.joined(separator: ","))]"
    }

    private init(random: SeededGenerator) { self.random = random }

    private mutating func children(count: Int, depth: Int) -> [String] {
        (0..<count).map { _ in
            switch random.number(below: depth < 2 ? 7 : 4) {
            case 0, 1: integer(rule: random.number(below: 2) == 0 ? condition() : nil)
            case 2, 3: calculation()
            case 4: group(depth: depth)
            default: instances(depth: depth)
            }
        }
    }

    private mutating func newName() -> String {
        names.append("n\(names.count)")
        return names[names.count - 1]
    }

    private mutating func integer(rule: String?) -> String {
        let relevant = rule.map { #","relevant":"\#($0)""# } ?? ""
        return #"{"name":"\#(newName())","type":"integer"\#(relevant)}"#
    }

    private mutating func calculation() -> String {
        let rule = value()
        let relevant = random.number(below: 3) == 0 ? #","relevant":"\#(condition())""# : ""
        return #"{"name":"\#(newName())","type":"calculate","calculation":"\#(rule)"\#(relevant)}"#
    }

    private mutating func group(depth: Int) -> String {
        let rule = condition()
        let nodes = children(count: 2, depth: depth + 1)
        return
            #"{"name":"g\#(names.count)","type":"group","relevant":"\#(rule)","nodes":[\#(nodes.joined(separator: ","))]}"#
    }

    private mutating func instances(depth: Int) -> String {
        let rule = random.number(below: 3) == 0 ? #","relevant":"\#(condition())""# : ""
        let count = random.number(below: 3) == 0 ? #","repeat_count":"\#(value())""# : ""
        groups += 1
        let name = "r\(groups)"
        let nodes = children(count: 3, depth: depth + 1)
        // Its own sum up to here, which reads the instance before.
        let sum = newName()
        let own = names[names.count - 2]
        let before = "${\(name)}[position() = position(current()/..) - 1]/\(sum)"
        let rules = "coalesce(${\(own)}, 0) + coalesce(\(before), 0)"
        let running = #"{"name":"\#(sum)","type":"calculate","calculation":"\#(rules)"}"#
        repeats.append(name)
        let all = (nodes + (random.number(below: 2) == 0 ? [running] : [integer(named: sum)])).joined(separator: ",")
        return #"{"name":"\#(name)","type":"repeat"\#(rule)\#(count),"nodes":[\#(all)]}"#
    }

    private func integer(named name: String) -> String { #"{"name":"\#(name)","type":"integer"}"# }

    private mutating func name() -> String { names[random.number(below: names.count)] }

    private mutating func condition() -> String {
        ["\(value()) > 1", "${\(name())} = 2", "${\(name())} != ''", "not(\(value()) = 1)"][random.number(below: 4)]
    }

    private mutating func value() -> String {
        var usable = [
            "${\(name())} + 1", "sum(${\(name())})", "coalesce(${\(name())}, ${\(name())})",
            "count-non-empty(${\(name())})", "max(${\(name())}, 1)", "position(..)",
        ]
        if let last = repeats.last { usable += ["count(${\(last)})", "count(${\(last)}[position() > 1])"] }
        return usable[random.number(below: usable.count)]
    }
}
