import DocumentValues
import FieldModels

/// Why an answer that is allowed may still be a slip.
public enum AnswerDoubt {
    /// - Parameter text: as typed for a day.
    /// - Returns: `That is 399 days ahead.`; `nil` for an ordinary answer.
    public static func about(day text: String, usually usual: ClosedRange<Int>, today: CalendarDay) -> String? {
        guard let day = AnswerReader.day(text.trimmingSpaces, today: today) else { return nil }
        let distance = day.daysSince1970 - today.daysSince1970
        if distance < usual.lowerBound { return "\(day) is \(days(-distance)) ago." }
        if distance > usual.upperBound { return "\(day) is \(days(distance)) ahead." }
        // Beside y or n a y is rarely meant for a day.
        return text.trimmingSpaces.lowercased().isExactly("y") ? "Here y is yesterday, \(day)." : nil
    }

    private static func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }

    /// - Parameters:
    ///   - name: who is to have made an inspection, or to get an assignment.
    ///   - known: the names that the records here have.
    public static func about(user name: String, known: [String]) -> String? {
        let name = name.trimmingSpaces
        if known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return nil }
        return "No record here has the user '\(name)'."
    }
}
