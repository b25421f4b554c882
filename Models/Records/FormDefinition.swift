import DocumentValues

/// The questions of an inspection, in the order in which they are asked.
public struct FormDefinition: FieldRecord {
    public static let kind = RecordKind.form
    public static let schemaVersion = 1
    /// See ``FormDocument``.
    public static let otherSchemas: Set<Int> = [2]

    public var id: String
    public var name: String
    /// Goes up with each change of the questions.
    public var version: Int
    public var fields: [FormField]
    public var envelope: RecordEnvelope

    /// The names of the members.
    public enum Key: String, MemberKey {
        case name
        case version
        case fields
    }

    /// A form without a district is for all users.
    public init(id: String, name: String, version: Int = 1, fields: [FormField], district: District? = nil) {
        self.id = id
        self.name = name
        self.version = version
        self.fields = fields
        envelope = RecordEnvelope(district: district)
    }

    public init(id: String, reading reader: inout RecordReader) {
        self.id = id
        name = reader.requiredText(Key.name)
        version = reader.integer(Key.version, isVital: true) ?? 1
        fields = reader.list(Key.fields) { FormField(reading: &$0) }
        envelope = RecordEnvelope(district: nil)
    }

    public func write(to writer: inout RecordWriter) {
        writer.set(Key.name, to: name)
        writer.set(Key.version, to: version)
        writer.set(Key.fields, list: fields.map(\.object))
    }

    public func ownProblems() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if name.isBlank { problems.append(FieldProblem("name", message: "is empty")) }
        if version < 1 { problems.append(FieldProblem("version", message: "must be 1 or more, but is \(version)")) }
        problems += TextLength.problems(atMost: TextLength.line, ["name": name])
        var seen: Set<Name> = []
        for (index, field) in fields.enumerated() {
            let path = "fields[\(index + 1)]"
            problems += field.problems(in: path)
            if let condition = field.condition, !seen.contains(Name(condition.field)) {
                let advice = "must name a question that is asked before, but is '\(condition.field)'"
                problems.append(FieldProblem("\(path).when.field", message: advice))
            }
            if !seen.insert(Name(field.name)).inserted {
                problems.append(FieldProblem("\(path).name", message: "is there twice: '\(field.name)'"))
            }
        }
        return problems
    }

    public var title: String { name.asTitle }
}
