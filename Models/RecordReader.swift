import DocumentValues

/// Reads a record's members, notes their problems, and remembers the members that were not read.
///
/// It goes on after a problem, so that a person sees all of them at once. An unreadable optional member is left out,
/// and kept as it is in ``rest``; without a mandatory member the record is thrown away.
public struct RecordReader {
    /// All problems, in the order in which they were found.
    public private(set) var problems: [FieldProblem] = []
    /// Whether something is wrong without which the record makes no sense.
    public private(set) var isUnreadable = false
    /// Elements of the list of photos that are none; they are kept as they are.
    public private(set) var damagedPhotos: [JSONValue] = []

    private let object: JSONObject
    /// The text before a field's name in a message: `address.` inside an address.
    private let prefix: String
    /// Whether each member, in its order, was read.
    private var isKnown: [Bool]

    public init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
        isKnown = Array(repeating: false, count: object.count)
    }

    /// The members that were not read: those of a newer version of the program, or of another one, and those that cannot
    /// be read. They are kept.
    public var rest: JSONObject {
        guard isKnown.contains(false) else { return JSONObject() }
        return JSONObject(members: zip(object.members, isKnown).filter { !$1 }.map(\.0))
    }

    /// Notes a problem that makes the whole record unreadable.
    public mutating func note(_ field: String, because message: String) {
        problems.append(FieldProblem(prefix + field, message: message))
        isUnreadable = true
    }

    /// Notes a problem of an optional member.
    private mutating func leaveOut(_ field: String, because message: String) {
        problems.append(FieldProblem(prefix + field, message: message))
        leave(field)
    }

    /// Counts a member among those that were not read.
    private mutating func leave(_ field: String) {
        if let index = index(of: field) { isKnown[index] = false }
    }

    private func index(of field: String) -> Int? { object.members.firstIndex { $0.key.isExactly(field) } }

    /// Whether there is such a member, and it is not `null`.
    public func has(_ key: some MemberKey) -> Bool { object[key.rawValue].map { !$0.isNull } ?? false }

    /// The member, unless it is missing or `null`.
    public mutating func value(_ key: some MemberKey) -> JSONValue? {
        guard let index = index(of: key.rawValue) else { return nil }
        isKnown[index] = true
        let value = object.members[index].value
        return value.isNull ? nil : value
    }

    /// - Parameter isVital: the record makes no sense with another type of value.
    public mutating func text(_ key: some MemberKey, isVital: Bool = false) -> String? {
        read(key, rule: "must be text", isVital: isVital) { $0.stringValue }
    }

    public mutating func requiredText(_ key: some MemberKey) -> String {
        required(key, value: text(key, isVital: true)) ?? ""
    }

    public mutating func integer(_ key: some MemberKey, isVital: Bool = false) -> Int? {
        read(key, rule: "must be a whole number", isVital: isVital) { $0.integerValue.flatMap { Int(exactly: $0) } }
    }

    public mutating func number(_ key: some MemberKey, isVital: Bool = false) -> Double? {
        read(key, rule: "must be a number", isVital: isVital) { $0.doubleValue }
    }

    public mutating func bool(_ key: some MemberKey) -> Bool? {
        read(key, rule: "must be true or false") { $0.boolValue }
    }

    public mutating func day(_ key: some MemberKey, isVital: Bool = false) -> CalendarDay? {
        read(key, rule: "must be a day such as 2026-03-04", isVital: isVital) {
            $0.stringValue.flatMap { CalendarDay($0) }
        }
    }

    public mutating func requiredDay(_ key: some MemberKey) -> CalendarDay {
        required(key, value: day(key, isVital: true)) ?? CalendarDay(daysSince1970: 0)
    }

    public mutating func timestamp(_ key: some MemberKey) -> Timestamp? {
        read(key, rule: "must be a moment such as 2026-03-04T10:15:00Z") { $0.stringValue.flatMap { Timestamp($0) } }
    }

    public mutating func district(_ key: some MemberKey) -> District? {
        read(key, rule: "may have letters, digits, '-' and '_'") { $0.stringValue.flatMap { District($0) } }
    }

    public mutating func texts(_ key: some MemberKey, isVital: Bool = false) -> [String]? {
        read(key, rule: "must be a list of texts", isVital: isVital) { value in
            guard let elements = value.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        }
    }

    public mutating func object(_ key: some MemberKey, isVital: Bool = false) -> JSONObject? {
        read(key, rule: "must be an object", isVital: isVital) { $0.objectValue }
    }

    public mutating func objects(_ key: some MemberKey) -> [JSONObject]? {
        read(key, rule: "must be a list of objects") { value in
            guard let elements = value.arrayValue else { return nil }
            let objects = elements.compactMap(\.objectValue)
            return objects.count == elements.count ? objects : nil
        }
    }

    mutating func findingsNote(_ key: some MemberKey) -> FindingsNote? {
        read(key, rule: "must be digests by the findings' ids, or one digest") { FindingsNote($0) }
    }

    /// One of the values of an enumeration.
    public mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: some MemberKey, as type: Choice.Type, isVital: Bool = false
    ) -> Choice? where Choice.RawValue == String {
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return read(key, rule: "must be one of: \(choices)", isVital: isVital) {
            $0.stringValue.flatMap { Choice(exactly: $0) }
        }
    }

    /// An object with a reader of its own; problems inside carry the path to them. `nil` where it makes no sense.
    public mutating func nested<Value>(_ key: some MemberKey, body: (inout RecordReader) -> Value) -> Value? {
        guard let object = object(key) else { return nil }
        var reader = RecordReader(object, prefix: "\(prefix)\(key.rawValue).")
        let value = body(&reader)
        problems += reader.problems
        guard reader.isUnreadable else { return value }
        leave(key.rawValue)
        return nil
    }

    /// A list of objects, each with a reader of its own; `fields[2].name` names the second. The record makes no sense
    /// with anything wrong in it.
    public mutating func list<Value>(_ key: some MemberKey, body: (inout RecordReader) -> Value) -> [Value] {
        guard let value = value(key) else { return [] }
        let field = key.rawValue
        guard let elements = value.arrayValue else {
            note(field, because: "must be a list")
            return []
        }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            let name = "\(field)[\(index + 1)]"
            guard let object = element.objectValue else {
                note(name, because: "must be an object")
                continue
            }
            var reader = RecordReader(object, prefix: "\(prefix)\(name).")
            values.append(body(&reader))
            problems += reader.problems
            if !reader.problems.isEmpty { isUnreadable = true }
        }
        return values
    }

    /// The photos of a record. An element that is no photo is kept, and does not hide the others.
    mutating func photos(_ key: some MemberKey) -> [Photo] {
        guard let value = value(key) else { return [] }
        let field = key.rawValue
        guard let elements = value.arrayValue else {
            leaveOut(field, because: "must be a list, but is \(Self.quoted(value))")
            return []
        }
        var photos: [Photo] = []
        for (index, element) in elements.enumerated() {
            let name = "\(field)[\(index + 1)]"
            guard let object = element.objectValue else {
                problems.append(FieldProblem(name, message: "must be an object, but is \(Self.quoted(element))"))
                damagedPhotos.append(element)
                continue
            }
            var reader = RecordReader(object, prefix: "\(prefix)\(name).")
            let photo = Photo(reading: &reader)
            problems += reader.problems
            if let photo, !reader.isUnreadable { photos.append(photo) } else { damagedPhotos.append(element) }
        }
        return photos
    }

    private mutating func required<Value>(_ key: some MemberKey, value: Value?) -> Value? {
        if value == nil, !has(key) { note(key.rawValue, because: "is missing") }
        return value
    }

    private mutating func read<Value>(
        _ key: some MemberKey, rule: String, isVital: Bool = false, convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = value(key) else { return nil }
        if let converted = convert(value) { return converted }
        let message = "\(rule), but is \(Self.quoted(value))"
        if isVital { note(key.rawValue, because: message) } else { leaveOut(key.rawValue, because: message) }
        return nil
    }

    private static func quoted(_ value: JSONValue) -> String {
        let text = value.stringValue.map { "'\($0)'" } ?? value.description
        return text.shortened(toScalars: 40)
    }
}
