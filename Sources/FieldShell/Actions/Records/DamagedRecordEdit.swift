import DocumentValues
import FieldModels
import FieldRecords

/// Records that another program has written without mandatory members: lists have only their names.
struct DamagedRecordEdit {
    let session: ShellSession

    /// Sets the missing values of a damaged record. It sets all of them at once, since the record could not be read with
    /// only a part of them. It sets no others, since their checks need a record that can be read.
    ///
    /// - Returns: `nil` for a record that can be read, or lacks a value that cannot be typed.
    func mend(_ reference: RecordReference, values: [FieldValue]) throws -> Done? {
        let field = try session.field()
        let problems = try field.damaged.damage(of: reference.kind, reference.id)
        let lacking = VitalFields.of(reference.kind, with: problems)
        guard !lacking.isEmpty else { return nil }
        let isWhole = lacking.allSatisfy { vital in values.contains { $0.isOf(vital.name) } }
        let isMore = values.contains { value in !lacking.contains { value.isOf($0.name) } }
        guard isWhole, !isMore else { throw UsageError(DamagedRecord(reference, problems: problems).description) }
        var members = JSONObject()
        for vital in lacking {
            guard let text = values.last(where: { $0.isOf(vital.name) })?.text else { continue }
            members[vital.name] = try value(text, of: vital, in: reference)
        }
        let body = try field.damaged.mend(reference.kind, id: reference.id, setting: members, by: session.author())
        let id = JSONObject.Member(key: "_id", value: .string(reference.id))
        return Done(
            "Saved the \(reference.kind.rawValue) \(reference.shortID), which can be read now.",
            object: JSONObject(members: [id] + body.members))
    }

    private func value(_ text: String, of vital: FormField, in reference: RecordReference) throws -> JSONValue {
        if vital.name.isExactly("site") {
            return .string(try RecordFinder(session: session).find(text, among: [.site]).id)
        }
        do throws(FieldProblem) {
            guard !text.trimmingSpaces.isEmpty else { throw FieldProblem(vital.name, message: "must not be empty") }
            return try AnswerReader.read(text, for: vital, today: session.environment.today())
        } catch {
            throw RecordError(kind: reference.kind, id: reference.id, problems: [error])
        }
    }
}
