import AccessControl
import DocumentValues

/// A user or a role as it is stored: what an administrator gave it. What documents grant lies in `grants`, what both
/// come to in `holdings`.
struct StoredPrincipal: Sendable {
    /// With `role:` before the name of a role.
    let key: Name
    var sequence: UInt64
    var isDeleted = false
    /// Channels of the default collection; on a database of named collections they are kept without effect.
    var defaultChannels: Set<Name> = []
    var channels: [CollectionName: Set<Name>] = [:]
    var roles: Set<Name> = []
    var email = ""
    var isDisabled = false
    /// Argon2id; `nil` where no password opens the account.
    var password: String?
    var sessionGeneration: Int64 = 1
    /// An authorization from before this sequence has ended: with it the user was made or disabled last, or had all connections
    /// ended. 0 for a guest that was never touched.
    var authorizedSince: UInt64
    /// What the last token said; `nil` for a user who never came with one.
    var token: TokenGrants?

    init(key: Name, sequence: UInt64) {
        self.key = key
        self.sequence = sequence
        authorizedSince = sequence
    }

    static func roleKey(_ name: Name) -> Name { "\(PrincipalName.rolePrefix)\(name)" }

    /// Another one after each change that an administrator made.
    var version: String { String(sequence) }

    var isRole: Bool { PrincipalName.role(ofKey: key) != nil }
    var name: Name { PrincipalName.role(ofKey: key) ?? key }

    func explicitChannels(in collection: CollectionName) -> Set<Name> {
        collection.isDefault ? defaultChannels : channels[collection] ?? []
    }

    /// Channels that need no document to grant them: an administrator's, and the last token's.
    func givenChannels(in collection: CollectionName) -> Set<Name> {
        explicitChannels(in: collection).union(token?.channels ?? [])
    }

    var givenRoles: Set<Name> { roles.union(token?.roles ?? []) }

    // MARK: Stored form

    var state: JSONObject {
        var object = JSONObject()
        object["default_channels"] = .list(defaultChannels)
        var byCollection = JSONObject()
        for (collection, names) in channels.sorted(by: { $0.key < $1.key }) {
            byCollection[collection.description] = .list(names)
        }
        object["channels"] = .object(byCollection)
        object["roles"] = .list(roles)
        object["email"] = .string(email)
        object["disabled"] = .bool(isDisabled)
        object["stay"] = .number(JSONNumber(Int64(clamping: authorizedSince)))
        object["token"] = token.map { .object($0.json) }
        return object
    }

    mutating func read(state: JSONObject) throws {
        defaultChannels = state["default_channels"]?.names ?? []
        for member in state["channels"]?.objectValue ?? [:] {
            channels[try CollectionName(parsing: member.key)] = member.value.names
        }
        roles = state["roles"]?.names ?? []
        email = state["email"]?.stringValue ?? ""
        isDisabled = state["disabled"]?.boolValue ?? false
        authorizedSince = UInt64(clamping: state["stay"]?.integerValue ?? 0)
        token = state["token"]?.objectValue.map { TokenGrants($0) }
    }
}
