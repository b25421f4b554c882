import DocumentStore
import DocumentValues
import FieldModels

/// Records that were made before a user had signed in.
extension SignIn {
    /// Makes them the user's, under whose name they are sent: a gateway takes no record without a name. Records of a
    /// register, which an import has made, stay without a creator.
    public func nameUnnamedRecords(_ user: String) throws {
        try database.inBatch {
            for kind in RecordKind.allCases {
                let collection = collection(of: kind)
                for id in try collection.documentIDs() where RecordIDs.isMade(id) {
                    guard try collection.exchange(of: id)?.isKnownToRemotes == false,
                        var body = try collection.document(id: id)?.body, body["createdBy"] == nil
                    else { continue }
                    body["createdBy"] = .string(user)
                    if body["changedAt"] != nil, body["changedBy"] == nil { body["changedBy"] = .string(user) }
                    try collection.save(bodies: [(id, body.bytes)])
                }
            }
        }
    }
}
