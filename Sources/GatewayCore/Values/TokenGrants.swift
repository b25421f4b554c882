import DocumentValues

/// The grants of a user's last token, kept with the user until another token has others.
struct TokenGrants: Sendable, Hashable {
    let issuer: String
    let roles: Set<Name>
    /// In every collection.
    let channels: Set<Name>
    /// Seconds since 1970.
    let updated: Int64

    init(issuer: String, roles: Set<Name>, channels: Set<Name>, updated: Int64) {
        self.issuer = issuer
        self.roles = roles
        self.channels = channels
        self.updated = updated
    }

    init(_ json: JSONObject) {
        issuer = json["issuer"]?.stringValue ?? ""
        roles = json["roles"]?.names ?? []
        channels = json["channels"]?.names ?? []
        updated = json["updated"]?.integerValue ?? 0
    }

    var json: JSONObject {
        [
            "issuer": .string(issuer), "roles": .list(roles),
            "channels": .list(channels), "updated": .int(updated),
        ]
    }

    /// Whether they give the same rights, regardless of their time.
    func givesTheSame(as other: TokenGrants?) -> Bool {
        guard let other else { return false }
        return issuer.isExactly(other.issuer) && roles == other.roles && channels == other.channels
    }
}
