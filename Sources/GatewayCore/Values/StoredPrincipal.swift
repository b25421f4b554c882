import AccessControl
import DocumentValues

/// A user or a role as it is stored: with the grants of an administrator. Grants of documents are in `grants`, the sum
/// of both in `holdings`.
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
    /// Argon2id; `nil` if there is no password for the account.
    var password: String?
    var sessionGeneration: Int64 = 1
    /// Authorizations from before this sequence have ended. It is the sequence of the last change that made or disabled
    /// the user, or ended all connections of the user. 0 for a guest that was never changed.
    var authorizedSince: UInt64
    /// The grants of the last token; `nil` for a user who never used one.
    var token: TokenGrants?

    init(key: Name, sequence: UInt64) {
        self.key = key
        self.sequence = sequence
        authorizedSince = sequence
    }

    static func roleKey(_ name: Name) -> Name { "\(PrincipalName.rolePrefix)\(name)" }

    /// Changes with each change by an administrator.
    var version: String { String(sequence) }

    var isRole: Bool { PrincipalName.role(ofKey: key) != nil }
    var name: Name { PrincipalName.role(ofKey: key) ?? key }

    func explicitChannels(in collection: CollectionName) -> Set<Name> {
        collection.isDefault ? defaultChannels : channels[collection] ?? []
    }

    /// Channels that are not granted by documents: those of an administrator, and of the last token.
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

    /// A state without the member `disabled` was not written by a gateway: it must not enable the user.
    mutating func read(state: JSONObject) throws {
        guard let isDisabled = state["disabled"]?.boolValue else { throw GatewayError.damaged("user or role") }
        self.isDisabled = isDisabled
        defaultChannels = state["default_channels"]?.names ?? []
        for member in state["channels"]?.objectValue ?? [:] {
            channels[try CollectionName(parsing: member.key)] = member.value.names
        }
        roles = state["roles"]?.names ?? []
        email = state["email"]?.stringValue ?? ""
        authorizedSince = UInt64(clamping: state["stay"]?.integerValue ?? 0)
        token = state["token"]?.objectValue.map { TokenGrants($0) }
    }
}
