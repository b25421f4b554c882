import FieldModels
import FieldRecords

extension ShellSession {
    /// A day as the user types it.
    func day(typed text: String?) throws -> CalendarDay? {
        guard let text else { return nil }
        guard let day = AnswerReader.day(text, today: environment.today()) else {
            throw UsageError(
                "'\(text)' is no day.", hint: "A day is 2026-03-04, today, yesterday, or -7 for a week ago.")
        }
        return day
    }
}
