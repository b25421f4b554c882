import DocumentValues
import FieldModels

extension JSONObject {
    /// Keeps the gateway's creator, since the record was not deleted there. Its values here are noted as those of the
    /// people who gave them.
    func leaving(creatorOf known: JSONObject) -> JSONObject {
        let stamp = VersionStamp(of: self)
        var body = self
        body["changedBy"] = stamp.by.map { .string($0) }
        body["changedAt"] = stamp.at.map { .string($0.description) }
        for member in ["createdBy", "createdAt"] { body[member] = known[member] }
        var contested = ContestedValues(of: body)
        if !ContestedValues(of: known).hasDeletion { contested.removeDeletion() }
        contested.write(to: &body)
        return body
    }

    /// Whether it differs at most in the notes of its last changes, and in some members.
    func hasSameContent(as other: JSONObject, besides members: [String] = []) -> Bool {
        let others = ["changedBy", "changedAt", "device", FieldChanges.member] + members
        func content(_ object: JSONObject) -> JSONObject { object.filter { !others.containsExactly($0) } }
        return ValueOrder.isSame(content(self), and: content(other))
    }
}
