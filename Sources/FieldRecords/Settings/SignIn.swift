import DocumentStore
import DocumentValues
import FieldModels

/// Who signs in, and so whose records a folder has. It is noted beside them: settings can be damaged, put aside or lost.
public struct SignIn: RecordService {
    let store: RecordStore
    let folder: FieldFolder

    private static let ownerCollection = "owner"
    private static let ownerDocument = "owner"

    /// The user who signed in here last; `nil` if that was with an earlier version, or no user has.
    public func owner() throws -> String? {
        guard let collection = try database.collection(name: Self.ownerCollection, scope: "laptop") else { return nil }
        let body = try collection.bodies(of: [Self.ownerDocument])[0].flatMap { JSONObject.readable($0.body) }
        return body?["user"]?.stringValue
    }

    func note(owner user: String) throws {
        let collection = try database.createCollection(name: Self.ownerCollection, scope: "laptop")
        try collection.save(bodies: [
            (Self.ownerDocument, JSONObject(members: [.init(key: "user", value: .string(user))]).bytes)
        ])
    }

    /// For a folder in which the user signed in with an earlier version.
    public func noteFirst(owner user: String) throws {
        if try owner() == nil { try note(owner: user) }
    }
}
