import DocumentValues
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FormEntry

/// A conversation whose other side is a list of lines. The disk is the last saved answers.
struct FormTalk {
    /// 2026-03-04, a Wednesday, 14:45:30 in Berlin's winter.
    static let noon: Int64 = 1_772_631_930_500

    var conversation: FormConversation
    /// Lines on the screen, with a sign for what each is.
    var screen: [String] = []
    /// The question in front of the cursor, with the answer in brackets.
    var prompt = ""
    var asked: AskedLine?
    var saved: JSONObject?
    var saves = 0
    var opened: [String] = []
    var left: Leaving?
    /// The reason for which saving fails.
    var diskFault: String?
    /// Whether another window has changed the record.
    var isSuperseded = false
    /// The text that the editor leaves.
    var editor: String?
    /// Files that can be attached or read, by their paths.
    var files: [Name: [UInt8]] = [:]
    var isFinal = false

    static func form(_ name: String) throws -> Form {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("sample-data/forms")
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).yaml"), encoding: .utf8)
        return FormYAML.read(text).form
    }

    static func sample(_ name: String, lastSaved: Record? = nil) throws -> FormTalk {
        try FormTalk(form: form(name), lastSaved: lastSaved)
    }

    /// - Parameter yaml: the questions of a form, and perhaps its lists.
    static func form(yaml: String) throws -> FormTalk {
        let reading = FormYAML.read("form: f\nversion: 1\n" + yaml)
        #expect(FormChecker.findings(of: reading).shown.filter { $0.severity == .error }.map(\.text) == [])
        return try FormTalk(form: reading.form)
    }

    /// - Parameter answers: of a draft.
    init(
        form: Form, lastSaved: Record? = nil, answers: JSONObject? = nil, marks: FormMarks = FormMarks(),
        isTrial: Bool = false
    ) throws {
        let program = FormProgram(form)
        #expect(program.problems.map(\.error.description) == [])
        var instances = FormInstances(lists: form.lists, language: form.language, fallback: form.language)
        if let lastSaved {
            instances[ReferenceResolver.lastSaved] = .document(
                TreeInstance(root: InstanceElement(lastSaved: lastSaved)))
        }
        let zone = FixedFormZone(seconds: 3_600)
        var evaluator = FormEvaluator(
            program: program, record: Record(program.outline), instances: instances,
            state: FunctionState(
                conversions: Conversions(zone: zone), now: Self.noon, language: form.language,
                random: FormRandom(seed: 7)), properties: ["username": "ann", "deviceid": "fieldbook:1"])
        let graph = FormGraph(program)
        let state: FormState
        if let answers {
            var keys = 0
            evaluator.record =
                Record.read(answers, outline: program.outline) {
                    keys += 1
                    return "key\(keys)"
                }.record
            state = FormState.draft(evaluator: evaluator, graph: graph).state
        } else {
            state = FormState.new(evaluator: evaluator, graph: graph).state
        }
        conversation = FormConversation(
            form: form, state: state, marks: marks, savedAt: answers == nil ? nil : Self.noon, isTrial: isTrial,
            zone: zone, now: Self.noon)
        run(.begun)
    }

    /// - Returns: the lines that came to the screen, and the last prompt.
    @discardableResult
    mutating func type(_ lines: String...) -> [String] { type(lines) }

    @discardableResult
    mutating func type(_ lines: [String]) -> [String] {
        let before = screen.count
        for line in lines where left == nil { run(.line(line)) }
        return Array(screen[before...]) + [prompt]
    }

    mutating func send(_ event: ConversationEvent) -> [String] {
        let before = screen.count
        run(event)
        return Array(screen[before...]) + [prompt]
    }

    private mutating func run(_ event: ConversationEvent) {
        var next: ConversationEvent? = event
        var rounds = 0
        while let present = next {
            next = nil
            rounds += 1
            guard rounds < 100 else {
                Issue.record("the conversation does not ask again")
                return
            }
            for action in conversation.take(present, now: Self.noon) { next = perform(action) ?? next }
        }
    }

    /// - Returns: the result, where the action has one.
    private mutating func perform(_ action: ConversationAction) -> ConversationEvent? {
        switch action {
        case .show(let lines): screen += lines.map { Self.sign(of: $0.kind) + $0.text.plain }
        case .ask(let line):
            asked = line
            prompt = "> " + line.text
        case .save: return save()
        case .edit(let text):
            opened.append("edit \(text)")
            return .edited(editor)
        case .attach(let path, _):
            guard files[Name(path)] != nil else { return .failed("There is no file '\(path)'.") }
            return .attached(AnsweredFile(name: Name(path)))
        case .read(let path):
            return files[Name(path)].map { .read(name: Name(path), bytes: $0) }
                ?? .failed("There is no file '\(path)'.")
        case .open(.media(let name)): opened.append(name.text)
        case .open(.answer(let file)): opened.append(file.name.text)
        case .finalise(let droppingSurplus):
            _ = conversation.state.finalise(droppingSurplus: droppingSurplus, now: Self.noon)
            isFinal = true
            return .finalised(name: "the record")
        case .leave(let leaving): left = leaving
        }
        return nil
    }

    private mutating func save() -> ConversationEvent {
        if isSuperseded { return .superseded("it was changed elsewhere") }
        if let diskFault { return .failed(diskFault) }
        saves += 1
        saved = conversation.state.record.answers()
        return .saved
    }

    private static func sign(of kind: ShownLine.Kind) -> String {
        switch kind {
        case .header: "# "
        case .heading, .question, .row, .help: ""
        case .hint: "  "
        case .choice: "- "
        case .media: "@ "
        case .note: "N "
        case .answer: "= "
        case .refusal: "! "
        case .warning: "~ "
        case .info: "i "
        }
    }

    /// As the header of the present question has it.
    var openCount: Int {
        var conversation = conversation
        return conversation.openCount(at: conversation.present)
    }

    var answers: JSONObject { conversation.state.record.answers() }

    /// The answer at a path below the root, as tables have it; empty without one.
    func answer(_ path: String) throws -> String {
        let record = conversation.state.record
        var node = Record.root
        for step in path.split(separator: "/") {
            let parts = step.split(separator: "[")
            let child = try #require(record.outline.child(of: record[node].formNode, named: Name(String(parts[0]))))
            let position = parts.count > 1 ? try #require(Int(parts[1].dropLast())) : 1
            node = try #require(record.children(of: node, formNode: child).dropFirst(position - 1).first)
        }
        return record.answer(of: node)?.text ?? ""
    }
}
