import DocumentValues
import FieldModels
import SeededRandom

@testable import FieldRecords

/// What people do with an assignment: those who assign it change it, and the one who is to do it says that it is done.
extension MergingLaptops {
    static let assignment: JSONObject = [
        "type": "assignment", "schema": 1, "site": "s1", "due": "2026-03-04", "status": "open", "district": "hill",
        "channels": ["district.hill"], "createdBy": "ines", "createdAt": "2026-03-04T08:00:00Z", "inspector": "mara",
        "device": "d2",
    ]

    mutating func workOnAssignment(_ number: Int, _ step: Int, _ body: JSONObject) {
        if body[ContestedValues.member] != nil, random.number(below: 3) == 0 { return decideAssignment(number, body) }
        let laptop = laptops[number]
        if laptop.isSupervisor {
            assign(number, step, body)
        } else if laptop.name.isExactly("mara") {
            report(number, step, body)
        }
    }

    private mutating func assign(_ number: Int, _ step: Int, _ body: JSONObject) {
        switch random.number(below: 8) {
        case 0...1: edit(number, "due") { $0["due"] = .string("2026-12-\(10 + step % 20)") }
        case 2...3: edit(number, "instructions") { $0["instructions"] = .string("look \(step)") }
        case 4: edit(number, "drop") { $0["status"] = "dropped" }
        case 5 where body["status"] != "done": edit(number, "assign again") { $0["status"] = "open" }
        case 6 where random.number(below: 3) == 0: keep(nil, on: number, "delete")
        default: break
        }
    }

    private mutating func report(_ number: Int, _ step: Int, _ body: JSONObject) {
        switch body["status"]?.stringValue.flatMap(Assignment.Status.init(rawValue:)) {
        case .open:
            edit(number, "done") { body in
                body["status"] = "done"
                body["inspection"] = .string("inspection-\(step)")
            }
        // What a supervisor has dropped is not begun again.
        case .done where laptops[number].base?["status"] != "dropped":
            edit(number, "open again") { $0["status"] = "open" }
        case .done, .dropped, nil: break
        }
    }

    /// One question that such a person is asked.
    private mutating func decideAssignment(_ number: Int, _ body: JSONObject) {
        let laptop = laptops[number]
        guard let whole = RecordConflict(.assignment, id: "a", object: body),
            let asked = laptop.isSupervisor ? whole : laptop.name.isExactly("mara") ? whole.ofEverybody : nil
        else { return }
        var choices: [FieldPath: JSONValue] = [:]
        if let field = asked.fields.randomElement(using: &random) {
            choices[field.path] = ([field.current] + field.others).randomElement(using: &random)?.value ?? .null
        }
        let isTooMuch = whole.changesAssigned(choices, over: laptop.base ?? body, by: laptop.name)
        if isTooMuch, !laptop.isSupervisor { return }
        let decided = Conflicts.decided(
            body, conflict: asked, choices: choices, keepsRecord: choices.isEmpty, by: laptops[number].author())
        keep(decided, on: number, "decides \(choices.map { "\($0.key.name) = \($0.value)" })")
    }
}
