import DocumentStore
import DocumentValues
import FieldModels

/// Records that were brought back under the user's name, while the gateway has them again as those of who made them: after a
/// restore from a backup, each laptop brings back what the gateway has lost.
extension FieldDatabase {
    /// Leaves a record to its creator, as the gateway has it; what else was changed here is sent.
    ///
    /// - Returns: false where it names no other creator than the gateway's version, or that is not here.
    func leaveToCreator(_ kind: RecordKind, id: String) throws -> Bool {
        let collection = collection(of: kind)
        guard let body = try collection.document(id: id)?.body, let known = try gatewayBody(of: kind, id),
            body["createdBy"] != known["createdBy"]
        else { return false }
        let left = body.leaving(creatorOf: known)
        if left.hasSameContent(as: known) {
            _ = try collection.revert(id: id)
        } else {
            try collection.save(bodies: [(id, left.bytes)])
        }
        return true
    }
}

extension JSONObject {
    /// Nobody has deleted what the gateway has.
    fileprivate func leaving(creatorOf known: JSONObject) -> JSONObject {
        var body = self
        for member in ["createdBy", "createdAt"] { body[member] = known[member] }
        var contested = ContestedValues(of: body)
        if !ContestedValues(of: known).hasDeletion { contested.removeDeletion() }
        contested.write(to: &body)
        return body
    }

    /// Whether it differs at most in who changed what last.
    fileprivate func hasSameContent(as other: JSONObject) -> Bool {
        func content(_ object: JSONObject) -> JSONObject {
            object.filter { !["changedBy", "changedAt", "device", FieldChanges.member].containsExactly($0) }
        }
        return ValueOrder.isSame(content(self), and: content(other))
    }
}
