import DocumentValues
import FieldModels
import FieldRecords

/// The text about a decision, and about the rest of the conflict.
struct DecisionText {
    let session: ShellSession
    let conflict: RecordConflict
    let names: ConflictNames

    func done(_ chosen: [FieldPath: JSONValue], object: JSONObject) throws -> Done {
        let decisions = conflict.fields.compactMap { field in
            chosen[field.path].map { value in
                let shown = names.text(value, at: field.path) ?? Self.text(value, of: field.path)
                return "\(names.label(of: field.path)) is \(shown)"
            }
        }
        var questions = try OpenQuestions(of: session.author().name, in: session.field().store)
        let left = try RecordConflict(conflict.kind, id: conflict.id, object: object).flatMap {
            try questions.about($0)
        }
        let fields = left?.fields.count ?? 0
        let rest =
            (fields > 0 ? ["\(fields.of("field")) of it"] : [])
            + (conflict.deletion == nil ? [] : ["whether it is deleted or kept"])
        let more = rest.isEmpty ? "" : " Still to decide: \(rest.joined(separator: ", and ")); see: conflicts"
        return Done(
            "Decided: \(decisions.joined(separator: ", ")).\(more)",
            object: JSONObject(members: [JSONObject.Member(key: "_id", value: .string(conflict.id))] + object.members))
    }

    private static func text(_ value: JSONValue, of path: FieldPath) -> String {
        if path.isItem { return ContestedValue.photoText(isKept: !value.isNull) }
        return value.isNull ? "empty" : value.text ?? ""
    }
}
