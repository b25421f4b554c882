import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

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
    /// What the last token said; `nil` for a user who never came with one.
    var token: TokenGrants?

    init(key: Name, sequence: UInt64) {
        self.key = key
        self.sequence = sequence
    }

    static func roleKey(_ name: Name) -> Name { "\(PrincipalName.rolePrefix)\(name)" }

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

    // MARK: Storage

    static func fetch(_ key: Name, _ db: Database) throws -> StoredPrincipal? {
        let statement = try RawStatement(
            "SELECT sequence, is_deleted, state, password, session_generation FROM principals WHERE name = ?", db)
        statement.bind(1, key)
        return try statement.first { row in
            var principal = StoredPrincipal(key: key, sequence: row.uint64(0))
            principal.isDeleted = row.bool(1)
            try principal.read(JSONObject(parsing: row.bytes(2)))
            principal.password = row.textOrNil(3)
            principal.sessionGeneration = row.int64(4)
            return principal
        }
    }

    func save(_ db: Database) throws {
        let statement = try RawStatement("INSERT OR REPLACE INTO principals VALUES (?, ?, ?, ?, ?, ?)", db)
        statement.bind(1, key)
        statement.bind(2, sequence)
        statement.bind(3, isDeleted)
        statement.bind(4, state.description)
        statement.bind(5, password)
        statement.bind(6, sessionGeneration)
        try statement.run()
    }

    static func erase(_ key: Name, _ db: Database) throws {
        for sql in ["DELETE FROM principals WHERE name = ?", "DELETE FROM holdings WHERE principal = ?"] {
            let statement = try RawStatement(sql, db)
            statement.bind(1, key)
            try statement.run()
        }
    }

    /// Names in their order; roles without their prefix.
    static func names(roles: Bool, includingDeleted: Bool, _ db: Database) throws -> [Name] {
        let statement = try RawStatement("SELECT name, is_deleted FROM principals ORDER BY name", db)
        var names: [Name] = []
        try statement.forEachRow { row in
            let principal = StoredPrincipal(key: row.name(0), sequence: 0)
            guard principal.isRole == roles, includingDeleted || !row.bool(1) else { return }
            names.append(principal.name)
        }
        return names
    }

    private var state: JSONObject {
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
        object["token"] = token.map { .object($0.json) }
        return object
    }

    private mutating func read(_ state: JSONObject) throws {
        defaultChannels = state["default_channels"]?.names ?? []
        for member in state["channels"]?.objectValue ?? [:] {
            channels[try CollectionName(parsing: member.key)] = member.value.names
        }
        roles = state["roles"]?.names ?? []
        email = state["email"]?.stringValue ?? ""
        isDisabled = state["disabled"]?.boolValue ?? false
        token = state["token"]?.objectValue.map { TokenGrants($0) }
    }
}
