import DocumentValues
import FieldModels
import FieldRecords

/// An answer as it comes from the line, or from the editor.
struct AnswerInput<Record: FieldRecord> {
    let questions: Questions
    let field: EditableField<Record>

    private var dialogue: any Dialogue { questions.dialogue }
    private var texts: WrittenTexts { WrittenTexts(dialogue: dialogue) }

    /// With pasted lines, or lines joined by a `\` at the end, if the answer may have several. A text too long to be typed
    /// again from memory is on the disk before it is checked.
    func wholeLine(_ prompt: String) throws(Stopped) -> GivenAnswer {
        var text = try answer(to: prompt, completing: field.question.choices)
        guard field.takesLines else { return GivenAnswer(text: PastedLines.joined(text)) }
        var held: WrittenText?
        while text.utf8.last == UInt8(ascii: "\\") {
            let begun = String(decoding: text.utf8.dropLast(), as: UTF8.self)
            held = texts.holding(PastedLines.restored(begun), insteadOf: held)
            text = begun + "\n" + (try answer(to: "… ", completing: [], behind: held))
        }
        text = PastedLines.restored(text)
        if WrittenText.isLong(text) { held = texts.holding(text, insteadOf: held) }
        return GivenAnswer(text: text, written: held)
    }

    /// A line of an answer. People also copy with Ctrl-C, so it does not lose the text of the line.
    ///
    /// - Parameter begun: the lines before it.
    private func answer(
        to prompt: String, completing answers: [String], behind begun: WrittenText? = nil
    ) throws(Stopped) -> String {
        switch questions.completing(answers, ask: { dialogue.ask(prompt, behind: begun) }) {
        case .line(let line): return line.trimmingSpaces
        case .interrupted(let line): texts.keepUnfinished(line, behind: begun)
        case .end: texts.keep(begun)
        }
        throw Stopped()
    }

    /// - Returns: `nil` where the editor leaves nothing, or does not begin.
    func edited(_ text: String) -> WrittenText? {
        guard field.takesLines else {
            dialogue.show("\(field.question.label) takes one line.")
            return nil
        }
        do throws(EditorError) {
            let edited = try dialogue.edit(text)
            let answer = edited.text.trimmingSpaces
            guard answer.isEmpty else { return WrittenText(answer, file: edited.file) }
            dialogue.discard(edited)
            if !text.isEmpty { dialogue.show("The text is empty; the answer is as it was. To take it away: -") }
            return nil
        } catch {
            dialogue.show(error.description)
            return nil
        }
    }
}
