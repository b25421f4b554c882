import DocumentValues

/// What a checkpoint belongs to: everything that would make it wrong if it were another.
struct CheckpointIdentity {
    var databaseUUID: [UInt8]
    var remote: String
    var collection: CollectionName
    var pushes: Bool
    var pulls: Bool
    var channels: [String]?
    var documentIDs: Set<Name>?
    /// As whom: what one user has got says nothing of what another may get. `nil` where only the gateway knows.
    var user: String?

    /// `cp-` and 28 characters; opaque to everybody.
    var checkpointID: String {
        var inputs: [JSONValue] = [
            .string(Base64.encode(databaseUUID)), .string(remote), .string(collection.description), .bool(pushes),
            .bool(pulls),
        ]
        // The order in which they are given means nothing.
        inputs.append(channels.map { JSONValue.list(Set($0.map { Name($0) })) } ?? .null)
        inputs.append(documentIDs.map { JSONValue.list($0) } ?? .null)
        if let user { inputs.append(.string(user)) }
        return "cp-" + BlobDigest(of: JSONValue.array(inputs).bytes).text.dropFirst("sha1-".count)
    }
}
