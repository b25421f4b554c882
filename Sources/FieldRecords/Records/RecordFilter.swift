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
            if Listed.hasStatus { condition.add("status", is: "=", to: status) } else { condition.add("FALSE") }
        }
        switch owner {
        case .named(let user)?: condition.add(Listed.owner, is: "=", to: user)
        case .nobody?: condition.add("CASE WHEN ISSTRING(\(Listed.owner)) THEN 1 ELSE 0 END = 0")
        case nil: break
        }
        if let districts { condition.add("district", among: districts) }
        if let since { condition.add("date", is: ">=", to: since.description) }
        if let until { condition.add("date", is: "<=", to: until.description) }
        return condition.all
    }
}

/// Conditions, all of which records have to fit.
private struct RecordConditions {
    private var parts: [String] = []
    private var values: [(name: String, value: String)] = []

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
        let name = "value\(values.count)"
        values.append((name: name, value: value))
        return "$" + name
    }

    var all: RecordCondition? {
        guard !parts.isEmpty else { return nil }
        return values.reduce(RecordCondition(parts.joined(separator: " AND "))) { $0.with($1.name, as: $1.value) }
    }
}
