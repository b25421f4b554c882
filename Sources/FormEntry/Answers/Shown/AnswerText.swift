import DocumentValues
import FormLogic

/// Answers as they are shown to the person who gave them. The texts of numbers, days, times, positions and choices can be
/// typed, and are read as the same answer.
package struct AnswerText {
    private let question: AskedQuestion
    private let language: Name?
    private let site: GeoPoint?

    package init(_ question: AskedQuestion, in context: AnswerContext) {
        self.question = question
        language = context.language
        site = context.site
    }

    /// In one line, safe to print.
    package func line(_ answer: Answer) -> String {
        switch answer {
        case .text(let text): self.text(text)
        case .number(let number): self.number(number)
        case .boolean(let boolean): boolean ? "true" : "false"
        case .date(let day): date(day)
        case .time(let time): MomentShown.time(time)
        case .dateTime(let stored): MomentShown.dateTime(stored, language: language)
        case .names(let names): ChoiceText(index: question.choices).several(names)
        case .point(let point): PositionText.of(point, site: site)
        case .points(let points): PositionText.of(points, isShape: question.type == .plain(.geoshape))
        case .file(let file): self.file(file)
        }
    }

    /// In full: all lines of a text, and a `select_multiple` as a list with marks. A rank is in its order.
    package func lines(_ answer: Answer) -> [String] {
        let choices = ChoiceText(index: question.choices)
        switch (answer, question.type) {
        case (.names(let names), .select(.multiple, _)): return choices.marked(names)
        case (.names(let names), .select(.rank, _)): return names.map { choices.one($0) }
        case (.text(let text), .plain(.text)) where !question.hasAppearance("masked"):
            return text.split(atByte: "\n", omittingEmptySubsequences: false).map { String($0).printableLine }
        default: return [line(answer)]
        }
    }

    private func text(_ text: String) -> String {
        switch question.type {
        case .select: return ChoiceText(index: question.choices).one(Name(text))
        case .plain(.barcode) where question.hasAppearance("hidden-answer"): return "(scanned)"
        case .plain:
            // As many for each text, so that its length stays unknown.
            if question.hasAppearance("masked") { return "••••••••" }
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            let first = String(Substring(lines[0])).printableLine
            return lines.count > 1 ? "\(first) … (\(lines.count) lines)" : first
        }
    }

    private func number(_ number: Double) -> String {
        guard question.type == .plain(.range) else {
            return NumberShown.of(number, isGrouped: question.hasAppearance("thousands-sep"))
        }
        let scale = RangeScale(question.parameters)
        let text = scale.value(like: number) == nil ? FormNumberText.of(number) : scale.text(number)
        let ticks = question.choices
        let label = ticks.choices.indices.first { index in
            TypedNumber(ticks.choices[index].name.text)?.decimal.map { abs($0.value - number) < 1e-9 } ?? false
        }
        return label.map { "\(text) \(ticks.label($0).printableLine)" } ?? text
    }

    private func date(_ day: Int64) -> String {
        let text = DayText(language)
        if question.hasAppearance("year") { return text.year(day) }
        return question.hasAppearance("month-year") ? text.month(day) : text.whole(day)
    }

    /// `front.jpg 812 KB`
    private func file(_ file: AnsweredFile) -> String {
        let name = file.name.text.printableLine
        guard let length = file.blob?["length"]?.doubleValue, length >= 0 else { return name }
        return "\(name) \(NumberShown.ofBytes(length))"
    }
}
