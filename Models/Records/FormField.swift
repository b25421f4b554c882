import DocumentValues

/// One question of a form, with the limits of its answer.
public struct FormField: Sendable, Hashable {
    /// The answer's name in `Inspection.answers`.
    @Exact public var name: String
    /// The question as it is asked, in a few words.
    public var label: String
    public var kind: Kind
    public var isRequired: Bool
    /// For numbers: the least and the greatest; for texts: the lengths.
    public var minimum: Double?
    public var maximum: Double?
    /// For a choice, in the order in which they are offered.
    @Exact public var choices: [String]
    /// The question is asked only when an earlier one was answered so.
    public var condition: Condition?
    /// Members that this version does not know.
    public var rest = JSONObject()

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case text
        case number
        case whole
        case yesNo
        case choice
        case day
    }

    /// Skip logic: an earlier question and the answer it needs.
    public struct Condition: Sendable, Hashable {
        @Exact public var field: String
        public var equals: JSONValue
        /// Members that this version does not know.
        public var rest = JSONObject()

        /// The names of the members.
        public enum Key: String, MemberKey {
            case field
            case equals
        }

        public init(field: String, equals: JSONValue) {
            self.field = field
            self.equals = equals
        }

        init(reading reader: inout RecordReader) {
            self.init(
                field: reader.requiredText(Key.field), equals: reader.value(Key.equals) ?? .null)
            rest = reader.rest
        }

        var object: JSONObject {
            var writer = RecordWriter()
            writer.set(Key.field, to: field)
            writer.set(Key.equals, to: equals)
            writer.append(rest)
            return writer.object
        }
    }

    /// The names of the members.
    public enum Key: String, MemberKey {
        case name
        case label
        case kind
        case required
        case minimum
        case maximum
        case choices
        case when
    }

    public init(
        _ name: String, label: String, kind: Kind, isRequired: Bool = false, minimum: Double? = nil,
        maximum: Double? = nil, choices: [String] = [], when condition: Condition? = nil
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.isRequired = isRequired
        self.minimum = minimum
        self.maximum = maximum
        self.choices = choices
        self.condition = condition
    }

    init(reading reader: inout RecordReader) {
        let name = reader.requiredText(Key.name)
        self.name = name
        label = reader.text(Key.label) ?? name
        kind = reader.choice(Key.kind, as: Kind.self) ?? .text
        isRequired = reader.bool(Key.required) ?? false
        minimum = reader.number(Key.minimum)
        maximum = reader.number(Key.maximum)
        choices = reader.texts(Key.choices) ?? []
        condition = reader.nested(Key.when) { Condition(reading: &$0) }
        rest = reader.rest
    }

    var object: JSONObject {
        var writer = RecordWriter()
        writer.set(Key.name, to: name)
        writer.set(Key.label, to: label)
        writer.set(Key.kind, to: kind.rawValue)
        writer.set(Key.required, to: isRequired ? true : nil)
        writer.set(Key.minimum, to: minimum)
        writer.set(Key.maximum, to: maximum)
        writer.set(Key.choices, texts: choices.isEmpty ? nil : choices)
        writer.set(Key.when, object: condition?.object)
        writer.append(rest)
        return writer.object
    }

    func problems(in path: String) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if name.isBlank { problems.append(FieldProblem("\(path).name", message: "is empty")) }
        if kind == .choice, choices.isEmpty {
            problems.append(FieldProblem("\(path).choices", message: "is empty, so nothing can be chosen"))
        }
        if let minimum, let maximum, minimum > maximum {
            problems.append(
                FieldProblem("\(path).minimum", message: "is \(minimum), more than the maximum \(maximum)"))
        }
        return problems
    }
}
