import DocumentStore
import DocumentValues
import FieldModels

/// Whose records are, as a gateway's sync function has it.
public struct RecordOwnership: RecordService {
    let store: RecordStore

    /// Whose record it is, where the gateway lets supervisors alone take it to another district: it has the record, and that is
    /// somebody else's.
    ///
    /// - Parameters:
    ///   - district: the code of the other one.
    ///   - user: who wants to move it.
    /// - Returns: `nil` where the user may, or the gateway has it in that district.
    public func owner(
        keeping kind: RecordKind, _ id: String, outOf district: String, from user: String
    ) throws -> String? {
        guard let body = try takenBody(of: kind, id),
            body["district"]?.stringValue.isExactly(district) != true
        else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.has(user) ? nil : owners.first
    }

    /// Whose a record is that the gateway has, and lets nobody else delete but supervisors; `nil` where it is the user's, or
    /// nobody's.
    public func owner(of kind: RecordKind, id: String, otherThan user: String) throws -> String? {
        guard let body = try takenBody(of: kind, id) else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.mayDelete(user) ? nil : owners.first
    }

    /// Whose a finding is that the gateway has with a photo, and lets nobody else take that photo from but supervisors; `nil`
    /// where it is the user's, or nobody's.
    public func owner(ofFinding id: String, with photo: Photo, otherThan user: String) throws -> String? {
        let digest = Name(photo.blob.digest.text)
        guard let body = try takenBody(of: .finding, id),
            (body["photos"]?.arrayValue ?? []).contains(where: { ItemKeys.digest($0) == digest })
        else { return nil }
        let owners = RecordOwners(of: .finding, body)
        return owners.has(user) ? nil : owners.first
    }

    /// What the gateway has of a record: what was changed here since makes it nobody's.
    private func takenBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        guard try isTaken(kind, id: id) else { return nil }
        return try gatewayBody(of: kind, id) ?? collection(of: kind).document(id: id)?.body ?? JSONObject()
    }
}
