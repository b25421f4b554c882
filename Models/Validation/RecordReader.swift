import DocumentValues

/// Reads a record's members, notes what is wrong with them and remembers which ones nobody asked for.
///
/// It goes on after a problem, so that a person hears of all of them at once; what could not be read is then an empty
/// value, and the record is thrown away.
public struct RecordReader {
    public private(set) var problems: [FieldProblem] = []

    private let object: JSONObject
    /// What stands before a field's name in a message: `address.` inside an address.
    private let prefix: String
    private var known: Set<Name> = []

    public init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    /// The members that were not read: those of a newer version of the program, or of another one. They are kept.
    public var rest: JSONObject { object.filter { !known.contains(Name($0)) } }

    public mutating func note(_ field: String, _ message: String) {
        problems.append(FieldProblem(prefix + field, message))
    }

    /// The member, unless it is missing or `null`.
    public mutating func value(_ field: String) -> JSONValue? {
        known.insert(Name(field))
        guard let value = object[field], !value.isNull else { return nil }
        return value
    }

    public mutating func text(_ field: String) -> String? {
        read(field, "must be text") { $0.stringValue }
    }

    public mutating func requiredText(_ field: String) -> String { required(field, text(field)) ?? "" }

    public mutating func integer(_ field: String) -> Int? {
        read(field, "must be a whole number") { $0.integerValue.flatMap { Int(exactly: $0) } }
    }

    public mutating func number(_ field: String) -> Double? {
        read(field, "must be a number") { $0.doubleValue }
    }

    public mutating func bool(_ field: String) -> Bool? {
        read(field, "must be true or false") { $0.boolValue }
    }

    public mutating func day(_ field: String) -> CalendarDay? {
        read(field, "must be a day such as 2026-03-04") { $0.stringValue.flatMap { CalendarDay($0) } }
    }

    public mutating func requiredDay(_ field: String) -> CalendarDay {
        required(field, day(field)) ?? CalendarDay(daysSince1970: 0)
    }

    public mutating func timestamp(_ field: String) -> Timestamp? {
        read(field, "must be a moment such as 2026-03-04T10:15:00Z") { $0.stringValue.flatMap { Timestamp($0) } }
    }

    public mutating func texts(_ field: String) -> [String]? {
        read(field, "must be a list of texts") { value in
            guard let elements = value.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        }
    }

    public mutating func object(_ field: String) -> JSONObject? {
        read(field, "must be an object") { $0.objectValue }
    }

    /// One of the words of an enumeration.
    public mutating func word<Word: RawRepresentable & CaseIterable>(
        _ field: String, as type: Word.Type
    ) -> Word? where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return read(field, "must be one of: \(words)") { $0.stringValue.flatMap { Word(rawValue: $0) } }
    }

    /// An object with a reader of its own; problems inside carry the path to them.
    public mutating func nested<Value>(_ field: String, _ body: (inout RecordReader) -> Value) -> Value? {
        guard let object = object(field) else { return nil }
        var reader = RecordReader(object, prefix: "\(prefix)\(field).")
        let value = body(&reader)
        problems += reader.problems
        return value
    }

    /// A list of objects, each with a reader of its own; `photos[2].name` names the second.
    public mutating func list<Value>(_ field: String, _ body: (inout RecordReader) -> Value) -> [Value] {
        guard let value = value(field) else { return [] }
        guard let elements = value.arrayValue else {
            note(field, "must be a list")
            return []
        }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else {
                note("\(field)[\(index + 1)]", "must be an object")
                continue
            }
            var reader = RecordReader(object, prefix: "\(prefix)\(field)[\(index + 1)].")
            values.append(body(&reader))
            problems += reader.problems
        }
        return values
    }

    private mutating func required<Value>(_ field: String, _ value: Value?) -> Value? {
        if value == nil, object[field]?.isNull ?? true { note(field, "is missing") }
        return value
    }

    private mutating func read<Value>(
        _ field: String, _ rule: String, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = value(field) else { return nil }
        if let converted = convert(value) { return converted }
        note(field, "\(rule), but is \(Self.quoted(value))")
        return nil
    }

    private static func quoted(_ value: JSONValue) -> String {
        let text = value.stringValue.map { "'\($0)'" } ?? value.description
        return text.shortened(toScalars: 40)
    }
}
