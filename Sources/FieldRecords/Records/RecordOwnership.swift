import DocumentStore
import DocumentValues
import FieldModels

/// The owners of records, as in a gateway's sync function.
public struct RecordOwnership: RecordService {
    let store: RecordStore

    /// The owner of a record, if the gateway lets only supervisors take it to another district: it has the record, and that
    /// is another user's.
    ///
    /// - Parameters:
    ///   - district: the code of the other one.
    ///   - user: the user who wants to move it.
    /// - Returns: `nil` if the user may, or if the gateway has it in that district.
    public func owner(
        keeping kind: RecordKind, _ id: String, outOf district: String, from user: String
    ) throws -> String? {
        guard let body = try takenBody(of: kind, id),
            body["district"]?.stringValue.isExactly(district) != true
        else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.has(user) ? nil : owners.first
    }

    /// The owner of a record that the gateway has, and that otherwise only supervisors may delete; `nil` if the record is
    /// the user's, or has no owner.
    public func owner(of kind: RecordKind, id: String, otherThan user: String) throws -> String? {
        guard let body = try takenBody(of: kind, id) else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.mayDelete(user) ? nil : owners.first
    }

    /// The owner of a finding that the gateway has with a photo, and from which otherwise only supervisors may remove that
    /// photo; `nil` if the finding is the user's, or has no owner.
    public func owner(ofFinding id: String, with photo: Photo, otherThan user: String) throws -> String? {
        let digest = Name(photo.blob.digest.text)
        guard let body = try takenBody(of: .finding, id),
            (body["photos"]?.arrayValue ?? []).contains(where: { ItemKeys.digest($0) == digest })
        else { return nil }
        let owners = RecordOwners(of: .finding, body)
        return owners.has(user) ? nil : owners.first
    }

    /// The gateway's version of a record: local changes do not decide whose it is.
    private func takenBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        guard try isKnownToGateway(kind, id: id) else { return nil }
        return try gatewayBody(of: kind, id) ?? collection(of: kind).document(id: id)?.body ?? JSONObject()
    }
}
