import DocumentValues
import FieldModels

/// Which records a list shows, by values that they have as they are given here; all of them as it is made.
package struct RecordFilter: Sendable {
    package enum Owner: Sendable {
        case named(String)
        /// Records that name no inspector.
        case nobody
    }

    package var site: String?
    package var status: String?
    /// Any of these.
    package var statuses: [String]?
    /// The id of the form that is answered.
    package var form: String?
    /// Of inspections: `<`, `<=`, `=`, `>=` or `>`, and a number.
    package var score: ScoreRange?
    package var owner: Owner?
    /// Codes of those that are wanted.
    package var districts: [String]?
    package var since: CalendarDay?
    package var until: CalendarDay?

    package init() {}

    /// `nil` for all records.
    func condition<Listed: ListedRecord>(of _: Listed.Type) -> RecordCondition? {
        var condition = RecordConditions()
        if let site { condition.add("site", is: "=", to: site) }
        if let status {
            if let member = Listed.status { condition.add(member, is: "=", to: status) } else { condition.add("FALSE") }
        }
        if let statuses {
            if let member = Listed.status { condition.add(member, among: statuses) } else { condition.add("FALSE") }
        }
        if let form { condition.add("form", is: "=", to: form) }
        if let score { condition.add("score \(score.comparison.rawValue) \(score.value)") }
        switch owner {
        case .named(let user)?: condition.add(Listed.owner, is: "=", to: user)
        case .nobody?: condition.add("CASE WHEN ISSTRING(\(Listed.owner)) THEN 1 ELSE 0 END = 0")
        case nil: break
        }
        if let districts { condition.add("district", among: districts) }
        return condition.all
    }

    /// The same with the days, which a list in the order of days reads from and to.
    func condition<Listed: DatedListedRecord>(withDaysOf _: Listed.Type) -> RecordCondition? {
        var days = RecordConditions(first: 100)
        if let since { days.add(Listed.day, is: ">=", to: since.description) }
        // A tilde is behind all that a day, or a moment of it, is spelled with.
        if let until { days.add(Listed.day, is: "<=", to: until.description + "~") }
        return RecordCondition.all([condition(of: Listed.self), days.all].compactMap(\.self))
    }
}

/// Scores beyond a number.
public struct ScoreRange: Sendable, Hashable {
    public enum Comparison: String, Sendable, Hashable, CaseIterable {
        case less = "<"
        case atMost = "<="
        case equal = "="
        case atLeast = ">="
        case more = ">"
    }

    public var comparison: Comparison
    public var value: Int

    public init(_ comparison: Comparison, value: Int) {
        self.comparison = comparison
        self.value = value
    }

    /// An inspection without a score is in none.
    public func contains(_ score: Int?) -> Bool {
        guard let score else { return false }
        return switch comparison {
        case .less: score < value
        case .atMost: score <= value
        case .equal: score == value
        case .atLeast: score >= value
        case .more: score > value
        }
    }
}

/// Conditions, all of which records have to fit.
private struct RecordConditions {
    private var parts: [String] = []
    private var values: [(name: String, value: String)] = []
    /// Their parameters have numbers from this one on.
    private let first: Int

    init(first: Int = 0) { self.first = first }

    mutating func add(_ text: String) { parts.append(text) }

    mutating func add(_ member: String, is comparison: String, to value: String) {
        parts.append("\(member) \(comparison) \(parameter(value))")
    }

    mutating func add(_ member: String, among choices: [String]) {
        guard !choices.isEmpty else { return add("FALSE") }
        var names: [String] = []
        for choice in choices { names.append(parameter(choice)) }
        parts.append("\(member) IN [\(names.joined(separator: ", "))]")
    }

    private mutating func parameter(_ value: String) -> String {
        let name = "value\(first + values.count)"
        values.append((name: name, value: value))
        return "$" + name
    }

    var all: RecordCondition? {
        guard !parts.isEmpty else { return nil }
        return values.reduce(RecordCondition(parts.joined(separator: " AND "))) { $0.with($1.name, as: $1.value) }
    }
}
