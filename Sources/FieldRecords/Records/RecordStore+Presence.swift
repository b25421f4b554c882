import DocumentStore
import DocumentValues
import FieldModels

/// The local state of a record, and its state at the gateway.
extension RecordStore {
    /// Whether there is such a record, readable or not.
    public func isThere(_ kind: RecordKind, id: String) throws -> Bool {
        try collection(of: kind).document(id: id) != nil
    }

    /// Whether a record was deleted, here or elsewhere, and is not there again.
    public func isDeleted(_ kind: RecordKind, id: String) throws -> Bool {
        try collection(of: kind).exchange(of: id)?.isDeleted == true
    }

    /// Whether a gateway has, or had, any version of the record.
    public func isKnownToGateway(_ kind: RecordKind, id: String) throws -> Bool {
        try collection(of: kind).exchange(of: id)?.isKnownToRemotes ?? false
    }

    /// Whether a gateway has any version of any record that is here, a deleted one included.
    public func hasExchangedRecords() throws -> Bool {
        try RecordKind.allCases.contains { try collection(of: $0).isKnownToRemotes() }
    }

    /// Whether an object is a finding whose inspection is not on this laptop, such as one in a district that was taken away.
    public func lacksInspection(_ object: JSONObject) throws -> Bool {
        guard let id = object["inspection"]?.stringValue else { return false }
        return try collection(of: .inspection).exchange(of: id) == nil
    }

    /// The gateway's version of a record that was changed here since; `nil` if it has none, or the version is not kept.
    func gatewayBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        try collection(of: kind).baseBody(of: id).flatMap { JSONObject.readable($0) }
    }
}
