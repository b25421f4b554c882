import DocumentValues
import FieldModels
import FieldRecords

/// Keeps long texts, which cannot be typed again from memory, if no record takes them.
struct WrittenTexts {
    let dialogue: any Dialogue

    static let advice = "What you wrote is in the editor again after: :edit"

    /// In a file of its own, or on the screen.
    func keep(_ refused: WrittenText?) {
        guard let refused else { return }
        do throws(EditorError) {
            let file = try dialogue.keep(refused)
            dialogue.show(
                (file.map { "What you wrote is in \($0)\(SpareFolder.warning(of: $0))" }
                    ?? "What you wrote:\n\(refused.text)").printable)
        } catch {
            dialogue.show("\(error.description)\nWhat you wrote:\n\(refused.text)".printable)
        }
    }

    /// Keeps the text where `body` does not end.
    func keeping<Value>(_ refused: WrittenText?, while body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            keep(refused)
            throw error
        }
    }

    /// - Parameter line: the text of the line when it was left.
    func keepUnfinished(_ line: String, behind begun: WrittenText?) {
        guard let text = WrittenText.unfinished(line, behind: begun) else { return keep(begun) }
        guard let begun else { return keep(WrittenText(text)) }
        do throws(EditorError) {
            let held = try dialogue.hold(text)
            dialogue.discard(begun)
            keep(held)
        } catch {
            dialogue.show("\(error.description)\nWhat you wrote:\n\(text)".printable)
            keep(begun)
        }
    }

    /// Puts the text on the disk before it is checked.
    func holding(_ text: String, insteadOf former: WrittenText?) -> WrittenText {
        do throws(EditorError) {
            let held = try dialogue.hold(text)
            if let former { dialogue.discard(former) }
            return held
        } catch {
            dialogue.show(error.description.printable)
            return WrittenText(text, file: former?.file)
        }
    }
}

extension Questions {
    /// Gives back an answer that could not be saved, and whose question is over.
    func giveBack(_ answer: GivenAnswer) {
        if let written = answer.written {
            dialogue.show("What you wrote is not saved.")
            WrittenTexts(dialogue: dialogue).keep(written)
        } else if !answer.text.isEmpty {
            dialogue.show("What you typed is not saved: \(answer.text.printable)")
        }
    }
}
