import DocumentValues

/// Everything on which a checkpoint depends: it is wrong for any other values.
struct CheckpointIdentity {
    var databaseUUID: [UInt8]
    var remote: String
    var collection: CollectionName
    var pushes: Bool
    var pulls: Bool
    var channels: [String]?
    var documentIDs: Set<Name>?
    /// The user, since the progress of one user is not that of another. `nil` if only the gateway knows the user.
    var user: String?

    /// `cp-` and 28 characters; opaque to both sides.
    var checkpointID: String {
        var inputs: [JSONValue] = [
            .string(Base64.encode(databaseUUID)), .string(remote), .string(collection.description), .bool(pushes),
            .bool(pulls),
        ]
        // Their order does not matter.
        inputs.append(channels.map { JSONValue.list(Set($0.map { Name($0) })) } ?? .null)
        inputs.append(documentIDs.map { JSONValue.list($0) } ?? .null)
        if let user { inputs.append(.string(user)) }
        return "cp-" + BlobDigest(of: JSONValue.array(inputs).bytes).text.dropFirst("sha1-".count)
    }
}
