import DocumentValues

/// A default that is a text.
package enum DefaultAnswer {
    /// `nil` where the type cannot hold it.
    package static func answer(_ text: String, type: QuestionType, conversions: Conversions) -> Answer? {
        let storing = AnswerStoring(conversions)
        switch type {
        case .plain(.integer):
            // A fraction is none, although a calculation would cut it.
            guard let number = NumberReading.number(text), number == number.rounded() else { return nil }
            return storing.answer(.text(text), for: type).answer
        case .plain(.calculate): return text.isEmpty ? nil : .text(text)
        case .plain(.date), .plain(.dateTime), .plain(.time):
            // A number of days is no date that an author writes.
            guard NumberReading.number(text) == nil else { return nil }
            return storing.answer(.text(text), for: type).answer
        case .plain, .select: return storing.answer(.text(text), for: type).answer
        }
    }
}
