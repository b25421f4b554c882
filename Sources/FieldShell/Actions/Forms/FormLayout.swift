import DocumentValues
import FormEntry
import FormLogic

/// Lays out the lines of a conversation: each kind has its margin, and the header its right side.
struct FormLayout {
    let columns: Int

    func styled(_ line: ShownLine) -> StyledText {
        guard line.kind != .header else { return header(line) }
        let margin = String(repeating: " ", count: Self.margin(of: line.kind))
        var text = StyledText(margin)
        for run in line.text.runs {
            // Further lines of a text have the same margin.
            text.append(
                run.text.replacing("\n", with: "\n" + margin), style: run.style.union(Self.style(of: line.kind)))
        }
        return text
    }

    /// `  Day of the visit [2026-03-04] > `
    func prompt(_ line: AskedLine) -> String {
        let text = line.text.printableLine
        return text.isEmpty ? "  > " : "  \(text) > "
    }

    private func header(_ line: ShownLine) -> StyledText {
        var text = StyledText()
        for run in line.text.runs { text.append(run.text, style: run.style.union(.bold)) }
        guard !line.trailing.isEmpty else { return text }
        let room = columns - line.text.plain.displayWidth - line.trailing.displayWidth
        text.append(String(repeating: " ", count: max(2, room)) + line.trailing)
        return text
    }

    private static func margin(of kind: ShownLine.Kind) -> Int {
        switch kind {
        case .header, .heading: 0
        case .question, .note, .refusal, .warning, .info, .row, .help: 2
        case .hint, .choice, .media, .answer: 4
        }
    }

    private static func style(of kind: ShownLine.Kind) -> StyledText.Style {
        switch kind {
        case .heading, .question: .bold
        case .header, .note, .refusal, .warning, .info, .row, .help, .hint, .choice, .media, .answer: []
        }
    }
}
