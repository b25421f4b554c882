import DocumentValues
import FieldModels

/// The differences between two versions of a record.
public enum RecordDifference {
    private static let own: [String] = [
        "changedAt", "changedBy", "createdAt", "createdBy", "submittedAt", "device", "type", "schema",
        ContestedValues.member,
        FieldChanges.member, ApprovedFindings.member, ApprovedPhotos.member,
    ]

    /// `score 80 → 88`, one for each field; answers by their names. For photos the differences by their names, or else their
    /// number, or `photos changed`.
    public static func lines(from old: JSONObject, to new: JSONObject) -> [String] {
        fields(from: old, to: new).flatMap { field -> [String] in
            let photos = field.name == "photos" ? PhotoChanges(from: field.old, to: field.new).lines : []
            guard photos.isEmpty else { return photos }
            let (before, after) = (text(field.old, of: field.name), text(field.new, of: field.name))
            return ["\(field.name) " + (before.isExactly(after) ? "changed" : "\(before)\(arrow)\(after)")]
        }
    }

    /// The fields that differ, in the order of the new version.
    public static func fields(
        from old: JSONObject, to new: JSONObject
    ) -> [(name: String, old: JSONValue?, new: JSONValue?)] {
        let (olds, news) = (old.valuesByName, new.valuesByName)
        return names(from: old, to: new).filter { !own.containsExactly($0) }.flatMap {
            name -> [(name: String, old: JSONValue?, new: JSONValue?)] in
            let (before, after) = (olds[Name(name)], news[Name(name)])
            if before == after { return [] }
            guard name == "answers" else { return [(name, before, after)] }
            return answers(from: before?.objectValue ?? JSONObject(), to: after?.objectValue ?? JSONObject())
        }
    }

    /// A form may name a question as a record names one of its own fields.
    private static func answers(
        from old: JSONObject, to new: JSONObject
    ) -> [(name: String, old: JSONValue?, new: JSONValue?)] {
        let (olds, news) = (old.valuesByName, new.valuesByName)
        return names(from: old, to: new).map { ($0, olds[Name($0)], news[Name($0)]) }.filter { $0.1 != $0.2 }
    }

    /// The person who gave a version its values of some fields, if it is only one.
    ///
    /// - Parameter fields: names as `fields(from:to:)` has them.
    public static func author(of fields: [String], in object: JSONObject) -> String? {
        let changes = FieldChanges(of: object)
        let authors = fields.map { name in
            let path = object[name] != nil ? FieldPath(name) : FieldPath("answers", part: name)
            return changes.stamp(at: path, in: object).by
        }
        guard let first = authors.first, authors.allSatisfy({ $0.isExactly(first) }) else { return nil }
        return first
    }

    private static func names(from old: JSONObject, to new: JSONObject) -> [String] {
        let known = Set(new.members.map { Name($0.key) })
        return new.members.map(\.key) + old.members.map(\.key).filter { !known.contains(Name($0)) }
    }

    static let arrow = " → "

    /// - Parameter field: its name, by which a record may have other words for its value than people do.
    static func text(_ value: JSONValue?, of field: String) -> String {
        guard let value else { return "nothing" }
        if field == "visit", let visit = value.stringValue.flatMap({ Inspection.Visit(label: $0) }) {
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
