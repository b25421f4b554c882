import DocumentValues
import FieldModels

/// Sets back changes by others.
extension ChangesByOthers {
    /// Fields that depend on other records, or that other people decide: to get back their former values, the user
    /// edits them.
    private static let kept = ["status", "state", "site", "district", "inspection"]

    /// The fields that are as others left them, and that had something else before. Photos that others added stay.
    ///
    /// - Parameter notedAsOwn: those that the record notes as the owner's own work, and no others.
    func restorable(in object: JSONObject, notedAsOwn: Bool) -> [Field] {
        fields(asLeftIn: object).filter { field in
            (field.noted != nil) == notedAsOwn && field.notice != .settled
                && !Self.kept.containsExactly(field.path.member)
                && !(field.path.isItem && field.before == nil)
        }
    }

    /// The fields that were not given another value since.
    func fields(asLeftIn object: JSONObject) -> [Field] {
        let present = FieldTree(Dictionary(fields.map { ($0.path, ()) }) { first, _ in first }).read(object)
        let digests = Set((object["photos"]?.arrayValue ?? []).compactMap(ItemKeys.digest))
        return fields.filter { field in
            if field.path == Self.questions { return !Self.missing(field, in: object).isEmpty }
            guard field.path.isItem else {
                return ValueOrder.isSame(LeftValue.of(present[field.path]), and: field.after)
            }
            guard let before = field.before else { return present[field.path] != nil }
            return ItemKeys.digest(before).map { !digests.contains($0) } ?? false
        }
    }

    /// The record with the former values of these fields.
    static func restored(_ object: JSONObject, fields: [Field]) -> JSONObject {
        let values = fields.filter { !$0.path.isItem && $0.path != questions }.map {
            ($0.path, $0.before ?? JSONValue.null)
        }
        var restored = FieldTree(Dictionary(values) { first, _ in first }).written(to: object)
        let photos = fields.filter(\.path.isItem).compactMap(\.before)
        if !photos.isEmpty {
            restored["photos"] = PhotoNames.unique(.array((restored["photos"]?.arrayValue ?? []) + photos))
        }
        let missing = fields.filter { $0.path == questions }.flatMap { Self.missing($0, in: restored) }
        if !missing.isEmpty {
            var contested = ContestedValues(of: restored)
            for value in missing { contested.insert(value) }
            contested.write(to: &restored)
        }
        return restored
    }

    /// The questions that are asked again if these fields are set back: `asked again: score 60`.
    static func askedAgain(_ fields: [Field], in object: JSONObject) -> [String] {
        fields.filter { $0.path == questions }.flatMap { missing($0, in: object) }.compactMap { value in
            value.path.map { "asked again: \($0.lastName) \(RecordDifference.text(value.value, at: $0))" }
        }
    }

    /// The values of a decision that the record has nowhere any more, if the field still has the decided value.
    private static func missing(_ field: Field, in object: JSONObject) -> [ContestedValue] {
        let decided = field.decided
        let open = ContestedValues(of: object)
        let paths = Dictionary(decided.compactMap { each in each.value.path.map { ($0, ()) } }) { first, _ in first }
        let present = ContestedValues.present(paths, in: object)
        return decided.filter { each in
            guard let path = each.value.path else { return false }
            return open.stamp(of: each.value.value, at: path) == nil && each.stays(beside: present[path])
                && !ValueOrder.isSame(present[path], and: each.value.value)
        }.map(\.value)
    }
}
