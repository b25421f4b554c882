import DocumentValues
import FieldModels

/// Turns a typed text into the value for a form's question, or explains which value the question needs.
public enum AnswerReader {
    /// - Parameter today: the day to which `today`, `yesterday` and `-2` refer.
    public static func read(
        _ text: String, for field: FormField, today: CalendarDay
    ) throws(FieldProblem) -> JSONValue {
        let text = text.trimmingSpaces
        let value = try value(text, for: field, today: today)
        if let problem = FormCheck.problem(of: value, in: field) { throw problem }
        return value
    }

    private static func value(
        _ text: String, for field: FormField, today: CalendarDay
    ) throws(FieldProblem) -> JSONValue {
        switch field.kind {
        case .text: return .string(text)
        case .whole:
            guard let whole = Int64(text) else { throw field.mismatch(typed: text) }
            return .number(JSONNumber(whole))
        case .number:
            if let message = doubtfulCommas(in: text) { throw FieldProblem(field.name, message: message) }
            guard let number = number(text) else { throw field.mismatch(typed: text) }
            return .number(JSONNumber(number))
        case .yesNo:
            guard let bool = yesNo(text) else { throw field.mismatch(typed: text) }
            return .bool(bool)
        case .day:
            guard let day = day(text, today: today) else {
                throw field.mismatch(typed: text, requirement: "a day such as \(today), or -1 for yesterday")
            }
            return .string(day.description)
        case .choice: return .string(try choice(text, for: field))
        }
    }

    /// Half of the world writes a comma before the decimals, the other half between thousands: `1,000`.
    ///
    /// - Returns: the objection to a number whose commas may be between thousands; `nil` if they cannot be.
    private static func doubtfulCommas(in text: String) -> String? {
        let hasSign = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
        let digits = text.utf8.dropFirst(hasSign ? 1 : 0)
        let groups = digits.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let isGrouped =
            groups.count > 1 && groups.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
            && (1...3).contains(groups[0].count) && groups[0].first != UInt8(ascii: "0")
            && groups.dropFirst().allSatisfy { $0.count == 3 }
        guard isGrouped else { return nil }
        let whole = text.replacing(",", with: "")
        guard groups.count == 2 else { return "must be a number without commas: \(whole), not '\(text)'" }
        return "can be \(whole) or \(text.replacing(",", with: ".")): type it without the comma, not '\(text)'"
    }

    /// Half of the world writes a comma. `0x10` would be read as 16, and is a mistyped number.
    private static func number(_ text: String) -> Double? {
        let isHexadecimal = text.lowercased().utf8.contains(UInt8(ascii: "x"))
        guard !isHexadecimal, let number = Double(text.replacing(",", with: ".")), number.isFinite else { return nil }
        return number
    }

    public static func yesNo(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "y", "yes", "true", "1", "j", "ja", "o", "oui", "s", "si", "sí": true
        case "n", "no", "false", "0", "nein", "non": false
        default: nil
        }
    }

    /// `2026-03-04`, `20260304`, `today`, `yesterday`, or days counted from today such as `-2` and `+7`.
    public static func day(_ text: String, today: CalendarDay) -> CalendarDay? {
        switch text.lowercased() {
        case "today", "t": return today
        case "yesterday", "y": return today.adding(days: -1)
        case "tomorrow": return today.adding(days: 1)
        default: break
        }
        if let day = CalendarDay(text) { return day }
        guard text.hasPrefix("-") || text.hasPrefix("+"), let days = Int(text), (-9_999...9_999).contains(days)
        else { return nil }
        return today.adding(days: days)
    }

    /// Case and hyphens do not matter: `followUp` is `follow-up`.
    private static func plain(_ text: String) -> String { text.lowercased().replacing("-", with: "") }

    /// A choice by its number, by its text, or by a beginning that only one has.
    private static func choice(_ text: String, for field: FormField) throws(FieldProblem) -> String {
        if field.choices.containsExactly(text) { return text }
        if let number = Int(text), field.choices.indices.contains(number - 1) { return field.choices[number - 1] }
        if let row = rows(field.choices).firstIndex(where: { $0.isExactly(text) }) { return field.choices[row] }
        let wanted = plain(text)
        let same = field.choices.filter { plain($0).readsLike(wanted) }
        // Choices that differ in the form of an accent only: which of them is meant, the number says.
        if same.count == 1 { return same[0] }
        let beginnings = field.choices.filter { plain($0).readsLike(beginning: wanted) }
        if beginnings.count == 1, !text.isEmpty { return beginnings[0] }
        guard beginnings.count < 2 || text.isEmpty else {
            let problem = "has \(beginnings.count) choices that begin with '\(text)': type more of one, or its number"
            throw FieldProblem(field.name, message: problem)
        }
        throw field.mismatch(typed: text, requirement: "one of \(offered(field.choices))")
    }

    /// As they are shown: `3 insects`.
    private static func rows(_ choices: [String]) -> [String] {
        choices.enumerated().map { "\($0.offset + 1) \($0.element)" }
    }

    /// The others are on the screen, and would be pushed out of it.
    private static func offered(_ choices: [String]) -> String {
        let named = rows(choices).prefix(FieldRecordsLimits.offeredChoices)
        let rest = choices.count - named.count
        return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more, each by its number" : "")
    }
}

extension FieldProblem: UserFacingError {}
