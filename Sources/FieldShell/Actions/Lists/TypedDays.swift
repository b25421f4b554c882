import DocumentValues
import FieldModels
import FieldRecords

/// Days as the user types them.
struct TypedDays {
    let session: ShellSession

    func day(_ text: String?) throws(UsageError) -> CalendarDay? {
        guard let typed = text else { return nil }
        // As taskwarrior has it: 7 days ago.
        let isShort = typed.utf8.first == UInt8(ascii: "-") && typed.utf8.last == UInt8(ascii: "d")
        let text = isShort ? String(decoding: typed.utf8.dropLast(), as: UTF8.self) : typed
        guard let day = AnswerReader.day(text, today: session.environment.today()) else {
            throw UsageError(
                "'\(typed)' is no day.", hint: "A day is 2026-03-04, today, yesterday, or -7d for a week ago.")
        }
        return day
    }
}
