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
            guard field.path.isItem else { return ValueOrder.isSame(present[field.path], and: field.after) }
            return field.before.flatMap(ItemKeys.digest).map { !digests.contains($0) } ?? false
        }
    }

    /// The record with what these fields had before.
    static func restored(_ object: JSONObject, fields: [Field]) -> JSONObject {
        let values = fields.filter { !$0.path.isItem }.map { ($0.path, $0.before ?? JSONValue.null) }
        var restored = FieldTree(Dictionary(values) { first, _ in first }).written(to: object)
        let photos = fields.filter(\.path.isItem).compactMap(\.before)
        if !photos.isEmpty {
            restored["photos"] = PhotoNames.unique(.array((restored["photos"]?.arrayValue ?? []) + photos))
        }
        return restored
    }

    /// What was not set back is still known.
    func without(_ restored: [Field]) -> ChangesByOthers {
        let gone = Set(restored.map(\.path))
        var rest = with(fields.filter { !gone.contains($0.path) })
        rest.notice = .read
        return rest
    }
}
