import DocumentValues

/// A record while it is filled: events come in, changes go out, and after each event everything that is calculated is as
/// the answers say. It is a value: the state before an event does not change.
package struct FormState: Sendable {
    /// A repeat as a whole, in the group or instance that has it.
    struct RepeatKey: Hashable, Sendable {
        let parent: Record.ID
        let formNode: FormOutline.ID
    }

    package internal(set) var evaluator: FormEvaluator
    package let graph: FormGraph
    /// Nodes, and repeats as a whole, whose own rule says that they are not relevant.
    var hidden: Set<Record.ID> = []
    var hiddenRepeats: Set<RepeatKey> = []
    /// How many instances each repeat with a count should have.
    var counts: [RepeatKey: Int] = [:]
    private(set) var reports: [Record.ID: [FormReport]] = [:]

    var vertices = PendingWork()
    /// While a script answers.
    private(set) var deferred: DeferredRules?
    var filters = PendingWork()
    var repeats = PendingWork()
    /// Answers that may fire triggers, with how many triggers led to them.
    var fired: [(node: Record.ID, depth: Int)] = []
    /// Rules that the last event evaluated.
    package internal(set) var evaluations = 0
    var changes: [FormChange] = []

    /// - Parameters:
    ///   - evaluator: its record is empty for a new one, or has the answers of a draft.
    ///   - graph: of the same program.
    private init(evaluator: FormEvaluator, graph: FormGraph) {
        self.evaluator = evaluator
        self.graph = graph
    }

    package var record: Record { evaluator.record }
    var program: FormProgram { evaluator.program }
    var outline: FormOutline { evaluator.program.outline }

    /// All reports, in no order.
    package var allReports: [FormReport] { reports.values.flatMap(\.self) }

    // MARK: Opening

    /// A new record: preloads, defaults, then everything that is calculated.
    package static func new(
        evaluator: FormEvaluator, graph: FormGraph
    ) -> (state: FormState, changes: [FormChange]) {
        var state = FormState(evaluator: evaluator, graph: graph)
        let changes = state.pass { state in
            state.evaluator.record = Record(state.outline)
            let given = state.addFirstInstances(in: Record.root)
            state.drawSeeds()
            state.preload()
            state.setDefaults(under: Record.root, given: given)
            state.markEverything()
        }
        return (state, changes)
    }

    /// A draft: no preloads and no defaults, and everything that is calculated.
    ///
    /// - Parameter evaluator: has the record's answers, and the seeds that were drawn for it.
    package static func draft(
        evaluator: FormEvaluator, graph: FormGraph
    ) -> (state: FormState, changes: [FormChange]) {
        var state = FormState(evaluator: evaluator, graph: graph)
        let changes = state.pass { state in
            state.drawSeeds()
            state.markEverything()
        }
        return (state, changes)
    }

    /// A draft whose answers were taken over into another version of the form.
    ///
    /// - Parameter fresh: questions that the former version did not have: they get their defaults.
    package static func upgraded(
        evaluator: FormEvaluator, graph: FormGraph, fresh: Set<FormOutline.ID>
    ) -> (state: FormState, changes: [FormChange]) {
        var (state, changes) = draft(evaluator: evaluator, graph: graph)
        changes += state.pass { $0.setDefaults(under: Record.root, of: fresh) }
        return (state, changes)
    }

    // MARK: Events

    /// An answer, or none, of a person. The same as before changes nothing.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func answer(_ answer: Answer?, at node: Record.ID, now: Int64) -> [FormChange] {
        evaluator.setNow(now)
        return pass { $0.store(answer, at: node, cause: .person, depth: 0) }
    }

    /// Another instance of a repeat without a count.
    ///
    /// - Parameter position: from 1; the end where it is not given.
    /// - Returns: nothing beyond the limits of a record.
    package mutating func add(
        _ formNode: FormOutline.ID, in parent: Record.ID, at position: Int? = nil, now: Int64
    ) -> [FormChange] {
        evaluator.setNow(now)
        return pass { _ = $0.addInstances(1, of: formNode, in: parent, at: position) }
    }

    /// More instances at the end of a repeat without a count, no more than a record may have. It is as if they were added one
    /// by one, with less work.
    package mutating func add(
        _ number: Int, of formNode: FormOutline.ID, in parent: Record.ID, now: Int64
    ) -> [FormChange] {
        let rules = program.rules[formNode..<outline[formNode].end]
        // A default may read what the instance before it has calculated.
        guard rules.contains(where: { $0.dynamicDefault != nil }) else {
            evaluator.setNow(now)
            return pass { _ = $0.addInstances(number, of: formNode, in: parent) }
        }
        return (0..<max(number, 0)).flatMap { _ in add(formNode, in: parent, now: now) }
    }

    package mutating func remove(_ instance: Record.ID, now: Int64) -> [FormChange] {
        remove([instance], now: now)
    }

    /// Instances of which none is inside another.
    package mutating func remove(_ instances: [Record.ID], now: Int64) -> [FormChange] {
        evaluator.setNow(now)
        return pass { state in
            for instance in instances { state.removeInstance(instance) }
        }
    }

    /// From now on, rules whose results are of no use for the next answer are evaluated once by `catchUp`, and not for each.
    package mutating func deferRules() { deferred = DeferredRules(graph: graph, program: program) }

    /// Evaluates the rules that have waited; from now on, none waits.
    package mutating func catchUp(now: Int64) -> [FormChange] {
        guard let waiting = deferred?.waiting else { return [] }
        evaluator.setNow(now)
        deferred = nil
        return pass { $0.vertices = waiting }
    }

    /// - Returns: whether a rule is evaluated later.
    mutating func isDeferred(_ index: Int, under bases: Set<Record.ID>) -> Bool {
        deferred?.take(index, under: bases) ?? false
    }

    /// Sets the ends, drops surplus instances if that is wanted, and calculates everything once more.
    package mutating func finalise(droppingSurplus: Bool, now: Int64) -> [FormChange] {
        evaluator.setNow(now)
        return pass { state in
            for (id, entry) in state.outline.entries.enumerated() where entry.type == .plain(.end) {
                for node in state.record.nodes(of: id) { state.setMoment(.dateTime, at: node) }
            }
            if droppingSurplus { for instance in state.surplus { state.removeInstance(instance) } }
            state.markEverything()
        }
    }

    /// The record's name, by the form's rule; `nil` without a rule or with an empty result.
    package mutating func instanceName() -> String? {
        guard let rule = program.instanceName else { return nil }
        let value = evaluator.value(of: rule, at: .record(Record.root)).value
        let text = evaluator.state.conversions.text(value)
        return text.isEmpty ? nil : text
    }

    /// Instances beyond the counts of their repeats, in no order.
    package var surplus: [Record.ID] {
        counts.flatMap { key, count in record.children(of: key.parent, formNode: key.formNode).dropFirst(count) }
    }

    // MARK: Reports

    mutating func keep(_ found: [Report], of rule: FormProgram.Rule, at node: Record.ID) {
        var kept = (reports[node] ?? []).filter { $0.rule != rule }
        kept += found.map { FormReport(node: node, rule: rule, report: $0) }
        reports[node] = kept.isEmpty ? nil : kept
    }

    mutating func forget(_ removed: [Record.ID]) {
        let gone = Set(removed)
        for node in removed { (reports[node], evaluator.seeds[node]) = (nil, nil) }
        hidden.subtract(gone)
        hiddenRepeats = hiddenRepeats.filter { !gone.contains($0.parent) }
        counts = counts.filter { !gone.contains($0.key.parent) }
        fired.removeAll { gone.contains($0.node) }
        vertices.forget(removed)
        deferred?.forget(removed)
        filters.forget(removed)
        repeats.forget(removed)
    }
}
