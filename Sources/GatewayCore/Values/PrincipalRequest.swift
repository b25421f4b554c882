import AccessControl
import DocumentValues

/// The members of a `PUT` or `POST` of a user or a role; missing members keep the present value.
struct PrincipalRequest: Sendable {
    var name: Name?
    var password: String?
    var defaultChannels: Set<Name>?
    var channels: [CollectionName: Set<Name>] = [:]
    /// The collections that `collection_access` names.
    private(set) var named: Set<CollectionName> = []
    var roles: Set<Name>?
    var email: String?
    var isDisabled: Bool?
    /// Connected clients have to sign in again, however they signed in.
    var endsAuthorizations = false

    init(json: [UInt8]) throws(GatewayError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: json)
        } catch {
            throw GatewayError.invalidJSON(error)
        }
        try self.init(object)
    }

    init(_ object: JSONObject) throws(GatewayError) {
        try Self.check(object)
        name = object["name"]?.stringValue.map { Name($0) }
        password = object["password"]?.stringValue
        defaultChannels = Self.names(object["admin_channels"])
        roles = Self.names(object["admin_roles"])
        email = object["email"]?.stringValue
        isDisabled = object["disabled"]?.boolValue
        endsAuthorizations = object["end_connections"]?.boolValue ?? false
        for scope in object["collection_access"]?.objectValue ?? [:] {
            for collection in scope.value.objectValue ?? [:] {
                guard let access = collection.value.objectValue else { continue }
                // A collection that is named without channels has none from now on.
                try read(Self.names(access["admin_channels"]) ?? [], scope: scope.key, collection: collection.key)
            }
        }
    }

    private mutating func read(_ names: Set<Name>, scope: String, collection: String) throws(GatewayError) {
        guard let name = try? CollectionName(scope: scope, name: collection) else {
            throw GatewayError.noSuchKeyspaceOfAccess("\(scope).\(collection)")
        }
        named.insert(name)
        guard name.isDefault else {
            channels[name] = names
            return
        }
        // `admin_channels` beside it is for the default collection, too, and takes precedence.
        if defaultChannels == nil { defaultChannels = names }
    }

    // MARK: - Refusals

    private static let types = MemberTypes(
        [
            "name": .text, "password": .text, "email": .text, "disabled": .flag, "end_connections": .flag,
            "admin_channels": .texts, "admin_roles": .texts, "collection_access": .object,
        ], of: "PrincipalConfig")
    private static let accessTypes = MemberTypes(["admin_channels": .texts], of: "PrincipalConfig.collection_access")

    /// The members that a user or a role may have, including read-only ones.
    static let members: Set<Name> = [
        "admin_channels", "admin_roles", "all_channels", "collection_access", "disabled", "email", "jwt_channels",
        "jwt_issuer", "jwt_last_updated", "jwt_roles", "name", "password", "roles",
    ]

    private static func check(_ object: JSONObject) throws(GatewayError) {
        try types.check(object) { .invalidJSON($0) }
        for name in ["all_channels", "roles"] where !(object[name] ?? .null).isNull {
            throw GatewayError.readOnlyMember(name)
        }
        let readOnly = ["jwt_issuer", "jwt_roles", "jwt_channels", "jwt_last_updated"]
        if readOnly.contains(where: { !(object[$0] ?? .null).isNull }) {
            throw GatewayError.readOnlyMembers
        }
        for scope in object["collection_access"]?.objectValue ?? [:] {
            guard let collections = scope.value.objectValue else { throw wrongAccess }
            for collection in collections where !collection.value.isNull {
                guard let access = collection.value.objectValue else { throw wrongAccess }
                try accessTypes.check(access) { .invalidJSON($0) }
                if !(access["all_channels"] ?? .null).isNull {
                    throw GatewayError.readOnlyMember("collection_access.all_channels")
                }
            }
        }
    }

    private static let wrongAccess = GatewayError.invalidJSON(
        "collection_access must be an object of scopes, each an object of collections")

    private static func names(_ value: JSONValue?) -> Set<Name>? {
        value?.arrayValue == nil ? nil : value?.names
    }

    /// Throws 404 for a collection that the database does not have.
    func checkCollections(among known: Set<CollectionName>, of database: String) throws(GatewayError) {
        guard let unknown = named.subtracting(known).min() else { return }
        throw GatewayError.noSuchKeyspaceOfAccess("\(database).\(unknown)")
    }

    /// The names of other collections' channels are not checked, as in Sync Gateway: no user gets such a channel.
    func checkNames() throws(GatewayError) {
        if defaultChannels?.contains("") == true { throw GatewayError.emptyChannelName }
        let all = [defaultChannels ?? []] + channels.values.map { $0 }
        if let long = all.lazy.joined().first(where: { Channel.isTooLong($0.text) }) {
            let beginning = JSONValue.string(long.text.shortened(toBytes: 40))
            throw GatewayError.longChannelName(beginning)
        }
        if let role = roles?.first(where: { !$0.isEmpty && PrincipalName.problem(with: $0.text) != nil }) {
            throw GatewayError.invalidRole(role)
        }
    }

    /// Takes over everything but name and password.
    func apply(to principal: inout StoredPrincipal) {
        if let defaultChannels { principal.defaultChannels = defaultChannels }
        principal.channels.merge(channels) { _, new in new }
        guard !principal.isRole else { return }
        if let roles { principal.roles = roles }
        // An invalid address is ignored.
        if let email, email.isEmpty || MailAddress.isValid(email) { principal.email = email }
        if endsAuthorizations || (isDisabled == true && !principal.isDisabled) {
            principal.sessionGeneration += 1
            principal.authorizedSince = principal.sequence
        }
        if let isDisabled { principal.isDisabled = isDisabled }
    }

    /// Whether all members except the password are already set so.
    func changesNothing(of principal: StoredPrincipal) -> Bool {
        var changed = principal
        apply(to: &changed)
        return !endsAuthorizations && changed.defaultChannels == principal.defaultChannels
            // A collection that is named without channels is like one that is not named.
            && changed.channels.filter { !$0.value.isEmpty } == principal.channels.filter { !$0.value.isEmpty }
            && changed.roles == principal.roles && changed.email == principal.email
            && changed.isDisabled == principal.isDisabled
    }
}
