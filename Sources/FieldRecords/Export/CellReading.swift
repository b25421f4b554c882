import DocumentValues
import FieldModels

/// How the text of a table's cell becomes a member of a record again.
struct CellReading: Sendable {
    enum Form: Sendable {
        case text
        case number
        /// Texts with spaces between them.
        case list
        /// An answer to a question of the inspection's form.
        case answer
        /// The members of a JSON object, each on its own; objects in it are put together with those of the record.
        case members
    }

    let path: [String]
    let form: Form
    /// Stamps and steps of a life cycle: they come with a record that is new here, and no table changes them.
    let isFixed: Bool

    private init(_ path: [String], form: Form, isFixed: Bool = false) {
        self.path = path
        self.form = form
        self.isFixed = isFixed
    }

    static func text(_ path: String...) -> CellReading { CellReading(path, form: .text) }
    static func number(_ path: String...) -> CellReading { CellReading(path, form: .number) }
    static func list(_ name: String) -> CellReading { CellReading([name], form: .list) }
    static func answer(_ name: String) -> CellReading { CellReading(["answers", name], form: .answer) }
    static func fixed(_ path: String...) -> CellReading { CellReading(path, form: .text, isFixed: true) }
    static let members = CellReading([], form: .members, isFixed: true)

    /// Puts a cell into a record; an empty one takes the member away.
    func put(_ cell: String, into object: inout JSONObject) throws(CellProblem) {
        if case .members = form {
            guard !cell.isEmpty else { return }
            guard let members = JSONObject.readable(Array(cell.utf8)) else { throw CellProblem("is no JSON object") }
            // A document keeps those with a `_` for itself.
            Self.merge(members.filter { !$0.hasExactPrefix("_") }, into: &object)
            return
        }
        Self.set(try value(ofCell: cell), at: path[...], in: &object)
    }

    /// The value that a cell represents; `nil` for an empty one.
    ///
    /// - Parameter question: the one that an answer answers, where its form is known.
    func value(ofCell cell: String, for question: FormField? = nil) throws(CellProblem) -> JSONValue? {
        if cell.isEmpty { return nil }
        switch form {
        case .text, .members: return .string(cell)
        case .list: return .array(cell.split(atByte: " ").map { .string(String($0)) })
        case .number: return try number(cell)
        case .answer: return try answer(cell, kind: question?.kind)
        }
    }

    private func number(_ cell: String) throws(CellProblem) -> JSONValue {
        guard let value = JSONValue(cell: cell), case .number = value else {
            throw CellProblem("'\(cell.shortened)' is no number")
        }
        return value
    }

    /// Without the form, the look of a cell decides on its type.
    private func answer(_ cell: String, kind: FormField.Kind?) throws(CellProblem) -> JSONValue {
        switch kind {
        case .number, .whole: return try number(cell)
        case .yesNo:
            switch Name(cell.lowercased()) {
            case "yes": return .bool(true)
            case "no": return .bool(false)
            default: throw CellProblem("'\(cell.shortened)' is neither yes nor no")
            }
        case .text, .day, .choice: return .string(cell)
        case nil: return Self.guess(cell)
        }
    }

    /// The value that is written as the cell; where it may be a text as well, it is taken for the other.
    private static func guess(_ cell: String) -> JSONValue {
        let values = [.bool(true), .bool(false)] + [JSONValue(cell: cell)].compactMap(\.self)
        return values.first { $0.cell.isExactly(cell) } ?? .string(cell)
    }

    private static func merge(_ members: JSONObject, into object: inout JSONObject) {
        let merged = members.members.map { member in
            guard let inner = member.value.objectValue, let present = object[member.key]?.objectValue else {
                return member
            }
            let both = JSONObject(members: present.members + inner.members)
            return JSONObject.Member(key: member.key, value: .object(both))
        }
        // All at once: one by one, each would be looked for among the others.
        object = JSONObject(members: object.members + merged)
    }

    private static func set(_ value: JSONValue?, at path: ArraySlice<String>, in object: inout JSONObject) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            object[name] = value
            return
        }
        var inner = object[name]?.objectValue ?? JSONObject()
        set(value, at: path.dropFirst(), in: &inner)
        object[name] = inner.unlessEmpty
    }
}

/// The reason why a cell cannot be read.
struct CellProblem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension JSONValue {
    /// `nil` for text that is no JSON.
    fileprivate init?(cell: String) {
        do { self = try JSONValue(parsing: Array(cell.utf8)) } catch { return nil }
    }
}
