import DocumentValues
import FieldModels

/// Setting back what others have changed.
extension ChangesByOthers {
    /// What goes along with other records, or is for others to say: who wants that back, edits it.
    private static let kept = ["status", "site", "district", "inspection"]

    /// The fields that are as others left them, and that had something else before. Photos that others added stay.
    func restorable(in object: JSONObject) -> [Field] {
        let present = FieldTree(Dictionary(fields.map { ($0.path, ()) }) { first, _ in first }).read(object)
        let digests = Set((object["photos"]?.arrayValue ?? []).compactMap(ItemKeys.digest))
        return fields.filter { field in
            if Self.kept.containsExactly(field.path.member) { return false }
            if field.path == Self.questions { return !Self.missing(field, in: object).isEmpty }
            guard field.path.isItem else {
                return ValueOrder.isSame(LeftValue.of(present[field.path]), and: field.after)
            }
            return field.before.flatMap(ItemKeys.digest).map { !digests.contains($0) } ?? false
        }
    }

    /// The record with what these fields had before.
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

    /// Of the values that somebody has decided about, those that the record has nowhere.
    private static func missing(_ field: Field, in object: JSONObject) -> [ContestedValue] {
        let values = (field.before?.arrayValue ?? []).compactMap { ContestedValue($0) }
        let open = ContestedValues(of: object)
        return values.filter { value in
            guard case .field(let path) = value.subject else { return false }
            let present = ContestedValues.present([path: ()], in: object)[path]
            return open.stamp(of: value.value, at: path) == nil && !ValueOrder.isSame(present, and: value.value)
        }
    }
}
