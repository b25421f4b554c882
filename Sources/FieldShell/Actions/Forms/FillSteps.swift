import DocumentValues
import FieldForms
import FormEntry
import FormLogic

/// Answers of a script one by one, and instances between them.
struct FillSteps {
    let session: ShellSession
    let language: Name?

    /// Lines `path=value`; a line `add REPEAT` adds an instance, which the following ones mean.
    static func read(_ lines: [String]) throws(UsageError) -> [FillRequest.Step] {
        var steps: [FillRequest.Step] = []
        for line in lines where !line.trimmingSpaces.isEmpty {
            let beginning = "add "
            if line.hasExactPrefix(beginning), !line.utf8.contains(UInt8(ascii: "=")) {
                let name = String(decoding: line.utf8.dropFirst(beginning.utf8.count), as: UTF8.self)
                steps.append(.add(path: name.trimmingSpaces))
            } else {
                steps.append(try FillLine.step(line))
            }
        }
        return steps
    }

    func take(_ steps: [FillRequest.Step], by filler: inout FormFiller) {
        let context = AnswerContext(
            now: session.now, zone: session.environment.formZone, language: language, source: .script)
        var current: Record.ID?
        for step in steps {
            switch step {
            case .set(let path, let text): filler.set(path, to: text, near: current, in: context)
            case .add(let path): current = filler.add(path, near: current) ?? current
            }
        }
    }
}
