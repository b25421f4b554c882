import DocumentValues

/// What a user's last token said, kept with the user until another one says something else.
struct TokenGrants: Sendable, Hashable {
    let issuer: String
    let roles: Set<String>
    /// In every collection.
    let channels: Set<String>
    /// Seconds since 1970.
    let updated: Int64

    init(issuer: String, roles: Set<String>, channels: Set<String>, updated: Int64) {
        self.issuer = issuer
        self.roles = roles
        self.channels = channels
        self.updated = updated
    }

    init(_ json: JSONObject) {
        issuer = json["issuer"]?.stringValue ?? ""
        roles = Set((json["roles"]?.arrayValue ?? []).compactMap(\.stringValue))
        channels = Set((json["channels"]?.arrayValue ?? []).compactMap(\.stringValue))
        updated = json["updated"]?.integerValue ?? 0
    }

    var json: JSONObject {
        [
            "issuer": .string(issuer), "roles": .array(roles.sorted().map { .string($0) }),
            "channels": .array(channels.sorted().map { .string($0) }), "updated": .int(updated),
        ]
    }

    /// Whether they give the same, whenever they were seen.
    func givesTheSame(as other: TokenGrants?) -> Bool {
        guard let other else { return false }
        return issuer == other.issuer && roles == other.roles && channels == other.channels
    }
}
