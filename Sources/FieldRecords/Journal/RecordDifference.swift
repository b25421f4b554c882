import DocumentValues
import FieldModels

/// The differences between two versions of a record.
public enum RecordDifference {
    private static let own: [String] =
        [
            "changedAt", "changedBy", "createdAt", "createdBy", "submittedAt", "device", "type", "schema",
            ContestedValues.member,
            FieldChanges.member, ApprovedFindings.member, ApprovedPhotos.member,
        ] + ofResponses

    /// What a program notes in a filled form beside its answers.
    private static let ofResponses = [
        Response.Key.history, .audit, .endedAt, .seeds, .skipped, .reports, .begun, .entities, .deprecatedID,
        .instanceID,
    ].map(\.rawValue)

    private static let answersPath = FieldPath(Inspection.Key.answers.rawValue)
    private static let photosPath = FieldPath(Inspection.Key.photos.rawValue)
    private static let visitPath = FieldPath(Inspection.Key.visit.rawValue)

    /// A field of two versions. A form may name a question as a record names one of its own fields: the paths differ.
    public struct Field: Sendable, Hashable {
        public let path: FieldPath
        public let old: JSONValue?
        public let new: JSONValue?

        /// For people: an answer's is that of its question.
        public var name: String { path.lastName }
    }

    /// `score 80 → 88`, one for each field; answers by their names. For photos the differences by their names, or else their
    /// number, or `photos changed`.
    public static func lines(from old: JSONObject, to new: JSONObject) -> [String] {
        fields(from: old, to: new).flatMap { field -> [String] in
            let photos = field.path == photosPath ? PhotoChanges(from: field.old, to: field.new).lines : []
            guard photos.isEmpty else { return photos }
            if field.path.member.isExactly(answersPath.name), let lines = answerLines(field) { return lines }
            let (before, after) = (text(field.old, at: field.path), text(field.new, at: field.path))
            return ["\(field.name) " + (before.isExactly(after) ? "changed" : "\(before)\(arrow)\(after)")]
        }
    }

    /// A value beside another one, as people read both; empty for none.
    public struct Row: Sendable, Hashable {
        @Exact public private(set) var name: String
        @Exact public private(set) var old: String
        @Exact public private(set) var new: String
    }

    /// The values that differ, in the order of the new version, each answer of a filled form by itself.
    public static func rows(from old: JSONObject, to new: JSONObject) -> [Row] {
        fields(from: old, to: new).flatMap { field -> [Row] in
            guard field.path.member.isExactly(answersPath.name) else {
                return [
                    Row(name: field.name, old: shown(field.old, at: field.path), new: shown(field.new, at: field.path))
                ]
            }
            let (old, new) = (
                AnswerLeaf.all(in: field.old, at: field.name), AnswerLeaf.all(in: field.new, at: field.name)
            )
            let olds = Dictionary(old.map { (Name($0.key), $0) }, uniquingKeysWith: { $1 })
            let known = Set(new.map { Name($0.key) })
            let changed = new.compactMap { leaf -> Row? in
                let before = olds[Name(leaf.key)]
                return before?.value == leaf.value ? nil : Row(name: leaf.path, old: before?.text ?? "", new: leaf.text)
            }
            return changed
                + old.filter { !known.contains(Name($0.key)) }.map { Row(name: $0.path, old: $0.text, new: "") }
        }
    }

    private static func shown(_ value: JSONValue?, at path: FieldPath) -> String {
        guard value != nil else { return "" }
        let photos = value?.arrayValue?.compactMap { $0["name"]?.stringValue }
        return path == photosPath ? (photos ?? []).joined(separator: ", ") : text(value, at: path)
    }

    /// The differences in a group or a repeat of a filled form, by the paths of their questions; `nil` where neither side
    /// has one.
    private static func answerLines(_ field: Field) -> [String]? {
        guard [field.old, field.new].contains(where: { $0?.objectValue != nil || $0?.arrayValue != nil }) else {
            return nil
        }
        let (old, new) = (AnswerLeaf.all(in: field.old, at: field.name), AnswerLeaf.all(in: field.new, at: field.name))
        let olds = Dictionary(old.map { (Name($0.key), $0) }, uniquingKeysWith: { $1 })
        let known = Set(new.map { Name($0.key) })
        let changed = new.compactMap { leaf -> String? in
            let before = olds[Name(leaf.key)]
            guard before?.value != leaf.value else { return nil }
            let text = before?.text ?? "nothing"
            return "\(leaf.path) " + (text.isExactly(leaf.text) ? "changed" : "\(text)\(arrow)\(leaf.text)")
        }
        return changed + old.filter { !known.contains(Name($0.key)) }.map { "\($0.path) \($0.text)\(arrow)nothing" }
    }

    /// The fields that differ, in the order of the new version.
    public static func fields(from old: JSONObject, to new: JSONObject) -> [Field] {
        changed(from: old, to: new) { FieldPath($0) }.filter { !own.containsExactly($0.name) }.flatMap {
            field -> [Field] in
            guard field.path == answersPath else { return [field] }
            return changed(from: field.old?.objectValue ?? JSONObject(), to: field.new?.objectValue ?? JSONObject()) {
                FieldPath(answersPath.name, part: $0)
            }
        }
    }

    private static func changed(
        from old: JSONObject, to new: JSONObject, path: (String) -> FieldPath
    ) -> [Field] {
        let (olds, news) = (old.valuesByName, new.valuesByName)
        return names(from: old, to: new)
            .map { Field(path: path($0), old: olds[Name($0)], new: news[Name($0)]) }
            .filter { $0.old != $0.new }
    }

    /// The person who gave a version its values of some fields, if it is only one.
    public static func author(of fields: [FieldPath], in object: JSONObject) -> String? {
        let changes = FieldChanges(of: object)
        let authors = fields.map { changes.stamp(at: $0, in: object).by }
        guard let first = authors.first, authors.allSatisfy({ $0.isExactly(first) }) else { return nil }
        return first
    }

    private static func names(from old: JSONObject, to new: JSONObject) -> [String] {
        let known = Set(new.members.map { Name($0.key) })
        return new.members.map(\.key) + old.members.map(\.key).filter { !known.contains(Name($0)) }
    }

    static let arrow = " → "

    /// - Parameter path: of a field of the record, which may have other words for its value than people do.
    static func text(_ value: JSONValue?, at path: FieldPath? = nil) -> String {
        guard let value else { return "nothing" }
        if path == visitPath, let visit = value.stringValue.flatMap({ Inspection.Visit(label: $0) }) {
            return visit.label
        }
        switch value {
        case .array(let elements): return "\(elements.count) of them"
        case .object: return "other values"
        case .null, .bool, .number, .string: return value.cell ?? "nothing"
        }
    }
}

extension JSONObject {
    /// For many look-ups in a record of many members.
    fileprivate var valuesByName: [Name: JSONValue] {
        Dictionary(members.map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}
