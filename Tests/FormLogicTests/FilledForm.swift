import DocumentValues
import FormLogic
import Testing

/// A form that is being filled.
struct FilledForm {
    static let noon: Int64 = 1_772_631_930_500

    var state: FormState
    var changes: [FormChange]

    /// - Parameters:
    ///   - nodes: as a definition has them.
    ///   - answers: of a draft; a new record where they are not given.
    init(
        _ nodes: String, lists: String = "{}", answers: String? = nil, lastSaved: Record? = nil, seed: UInt64 = 1
    ) throws {
        let text = #"{"form":"f","version":"1","lists":\#(lists),"nodes":\#(nodes)}"#
        let read = FormReader.read(try JSONObject(parsing: Array(text.utf8)))
        #expect(read.problems.isEmpty)
        let program = FormProgram(read.form)
        #expect(program.problems.map(\.error.description) == [])
        var instances = FormInstances(lists: read.form.lists, language: nil, fallback: nil)
        if let lastSaved {
            instances[ReferenceResolver.lastSaved] = .document(
                TreeInstance(root: InstanceElement(lastSaved: lastSaved)))
        }
        let state = FunctionState(
            conversions: Conversions(zone: FixedFormZone()), now: Self.noon, random: FormRandom(seed: seed))
        var evaluator = FormEvaluator(
            program: program, record: Record(program.outline), instances: instances, state: state,
            properties: ["username": "ann", "deviceid": "fieldbook:1"])
        let graph = FormGraph(program)
        guard let answers else {
            (self.state, changes) = FormState.new(evaluator: evaluator, graph: graph)
            return
        }
        let draft = Record.read(try JSONObject(parsing: Array(answers.utf8)), outline: program.outline) { "k" }
        #expect(draft.problems.isEmpty)
        evaluator.record = draft.record
        (self.state, changes) = FormState.draft(evaluator: evaluator, graph: graph)
    }

    func node(_ path: String) throws -> Record.ID { try ContextForm.node(path, in: state.record) }

    /// What the record has at a path, as tables have it; empty without an answer.
    func text(_ path: String) throws -> String { state.record.answer(of: try node(path))?.text ?? "" }

    func isRelevant(_ path: String) throws -> Bool { state.record[try node(path)].isRelevant }

    func formNode(_ name: Name) throws -> FormOutline.ID {
        try #require(state.record.outline.nodes(named: name).first)
    }

    /// Answers as a record stores them.
    mutating func answer(_ path: String, with json: JSONValue?) throws {
        let node = try node(path)
        let type = try #require(state.record.outline[state.record[node].formNode].type)
        let answer = try json.map { try #require(Answer($0, type: type)) }
        changes = state.answer(answer, at: node, now: Self.noon)
    }

    mutating func add(_ repeatName: Name, in parent: String = "", at position: Int? = nil) throws {
        changes = state.add(try formNode(repeatName), in: try node(parent), at: position, now: Self.noon)
    }

    mutating func remove(_ path: String) throws { changes = state.remove(try node(path), now: Self.noon) }

    /// The paths of questions whose answers changed.
    var changedNames: [Name] {
        changes.compactMap { change in
            guard case .answer(let node, _, _, _) = change else { return nil }
            return state.record.outline[state.record[node].formNode].node.name
        }
    }
}
