import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// The outcome of a form that a script has filled.
struct FillReport {
    let session: ShellSession
    let response: Response
    /// Whether the record is in the folder.
    let isStored: Bool
    var isTrial = false

    /// The record, or its problems: texts for people go beside the output.
    func output(problems: [FillProblem], lines: [String] = []) -> FormOutput {
        guard problems.isEmpty else {
            (lines + problems.map(\.line) + [remaining]).forEach(session.dialogue.show)
            var object: JSONObject = ["problems": .array(problems.map { .object($0.object) })]
            if isStored { object["_id"] = .string(response.id) }
            return FormOutput(lines: [], objects: [object], exitStatus: 1)
        }
        return FormOutput(
            lines: lines + [head] + ShownResponse.lines(response.answers).map { "  \($0)" },
            objects: [isStored ? response.identifiedObject : response.object])
    }

    private var head: String {
        let name = (response.instanceName ?? response.form).printableLine
        if isTrial {
            return "\(name), version \(response.formVersion.printableLine). This is a trial; nothing was saved."
        }
        let state = response.state == .final ? "Finalised" : "Saved the draft"
        return "\(state) \(short): \(name)"
    }

    private var short: String { RecordReference.short(response.id, kind: .response) }

    private var remaining: String {
        if isTrial { return "This is a trial; nothing was saved." }
        return isStored
            ? "What was accepted is in the draft \(short). Go on: fill \(short)"
            : "Nothing was accepted, and nothing saved."
    }
}
