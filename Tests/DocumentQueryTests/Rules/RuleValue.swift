import DocumentValues

/// A value as the rules of the language have it.
enum RuleValue {
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case text(String)
    case array([RuleValue])
    /// By the bytes of their keys, each of which is there once.
    case object([RuleMember])
}

struct RuleMember {
    let key: String
    let value: RuleValue
}

/// Why the interpreter has no value for an expression.
enum RuleError: Error {
    /// The rules leave it open, such as the order of arrays, or the interpreter leaves it out.
    case unspecified(String)
    /// The query has to fail.
    case refused(String)
}

extension RuleValue {
    static func truth(_ value: Bool) -> RuleValue { .integer(value ? 1 : 0) }

    /// `nil` is MISSING.
    static func truth(_ value: Bool?) -> RuleValue { value.map { truth($0) } ?? .missing }

    /// Of two members with the same key the later one counts; what is MISSING is no member.
    init(members: [RuleMember]) {
        var kept: [RuleMember] = []
        for member in members where !member.value.isMissing {
            kept.removeAll { $0.key.isExactly(member.key) }
            kept.append(member)
        }
        self = .object(kept.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }

    var isMissing: Bool { if case .missing = self { true } else { false } }

    var isNull: Bool { if case .null = self { true } else { false } }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var array: [RuleValue]? { if case .array(let elements) = self { elements } else { nil } }

    var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .missing, .null, .boolean, .integer, .double, .text: false
        }
    }

    /// What functions of numbers take: numbers, and booleans as 1 and 0.
    var numeric: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .missing, .null, .text, .array, .object: nil
        }
    }

    // MARK: JSON

    /// Numbers with a point or an exponent are doubles, and so is what 64 bits do not hold.
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .boolean(value)
        case .number(let number):
            let isWhole = !number.text.contains { ".eE".contains($0) }
            if isWhole, let whole = Int64(number.text) { self = .integer(whole) } else { self = .double(number.double) }
        case .string(let text): self = .text(text)
        case .array(let elements): self = .array(elements.map { RuleValue($0) })
        case .object(let object):
            self.init(members: object.members.map { RuleMember(key: $0.key, value: RuleValue($0.value)) })
        }
    }

    /// `nil` is MISSING.
    init(column json: JSONValue?) { self = json.map { RuleValue($0) } ?? .missing }

    private func json() throws -> JSONValue {
        switch self {
        case .missing: throw RuleError.unspecified("MISSING in a container")
        case .null: .null
        case .boolean(let value): .bool(value)
        case .integer(let value): .int(value)
        case .double(let value): try JSONValue(parsing: try Self.spelled(value))
        case .text(let text): .string(text)
        case .array(let elements): .array(try elements.map { try $0.json() })
        case .object(let members):
            .object(
                JSONObject(
                    members: try members.map { JSONObject.Member(key: $0.key, value: try $0.value.json()) }))
        }
    }

    // MARK: Text

    /// As `||` puts it together; `nil` for MISSING.
    func joined() throws -> String? {
        switch self {
        case .missing: nil
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .double(let value): try Self.spelled(value)
        case .text(let text): text
        case .array, .object: String(decoding: JSONWriter(sortsKeys: true).bytes(try json()), as: UTF8.self)
        }
    }

    /// `1.0`, `0.1`, `1e+308`: the fewest digits that give the number again.
    private static func spelled(_ value: Double) throws -> String {
        guard value.isFinite else { throw RuleError.unspecified("the text of an infinity") }
        let text = value.description
        return text.contains("e") && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension RuleValue: CustomStringConvertible {
    /// For messages: whole numbers and doubles, texts and names differ.
    var description: String {
        switch self {
        case .missing: "MISSING"
        case .null: "NULL"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let text): text.debugDescription
        case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}
