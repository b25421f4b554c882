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

    /// In one line. Where the screen is narrow, the form's title is cut first, and the progress is in a second line.
    private func header(_ line: ShownLine) -> StyledText {
        let parts = line.text.plain.replacing(Self.between, with: "\n")
            .split(atByte: "\n", omittingEmptySubsequences: false).map(String.init)
        let room = columns - line.trailing.displayWidth - (line.trailing.isEmpty ? 0 : 2)
        if let whole = Self.joined(parts, width: room) { return row(whole, trailing: line.trailing) }
        guard parts.count > 1 else { return row(parts[0].cut(to: max(1, room)), trailing: line.trailing) }
        var text = StyledText()
        let head = Array(parts.dropLast())
        let first = Self.joined(head, width: columns) ?? head.joined(separator: Self.between).cut(to: columns)
        text.append(first + "\n", style: .bold)
        let last = row(parts[parts.count - 1].cut(to: max(1, room)), trailing: line.trailing)
        for run in last.runs { text.append(run.text, style: run.style) }
        return text
    }

    private static let between = " · "
    /// A shorter title would not be recognized.
    private static let leastTitle = 12

    /// The first part cut as far as the others need; `nil` where there is no room for all.
    private static func joined(_ parts: [String], width: Int) -> String? {
        let whole = parts.joined(separator: between)
        if whole.displayWidth <= width { return whole }
        let title = parts[0].displayWidth - (whole.displayWidth - width)
        guard title >= leastTitle else { return nil }
        return ([parts[0].cut(to: title)] + parts.dropFirst()).joined(separator: between)
    }

    private func row(_ text: String, trailing: String) -> StyledText {
        var row = StyledText()
        row.append(text, style: .bold)
        guard !trailing.isEmpty else { return row }
        let room = columns - text.displayWidth - trailing.displayWidth
        row.append(String(repeating: " ", count: max(2, room)) + trailing)
        return row
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
