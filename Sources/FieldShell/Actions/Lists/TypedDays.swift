import FieldModels
import FieldRecords

/// Days as the user types them.
struct TypedDays {
    let session: ShellSession

    func day(_ text: String?) throws(UsageError) -> CalendarDay? {
        guard let text else { return nil }
        guard let day = AnswerReader.day(text, today: session.environment.today()) else {
            throw UsageError(
                "'\(text)' is no day.", hint: "A day is 2026-03-04, today, yesterday, or -7 for a week ago.")
        }
        return day
    }
}
