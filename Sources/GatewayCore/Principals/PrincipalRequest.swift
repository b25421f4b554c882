import DocumentValues

/// What a `PUT` or `POST` says of a user or a role; members that are not given leave what there is.
struct PrincipalRequest: Sendable {
    var name: String?
    var password: String?
    var defaultChannels: Set<String>?
    var channels: [CollectionName: Set<String>] = [:]
    var roles: Set<String>?
    var email: String?
    var isDisabled: Bool?

    init(json: [UInt8]) throws(GatewayError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: json)
        } catch {
            throw GatewayError(400, "Invalid JSON: \"\(error)\"")
        }
        try self.init(object)
    }

    init(_ object: JSONObject) throws(GatewayError) {
        name = object["name"]?.stringValue
        password = object["password"]?.stringValue
        defaultChannels = Self.names(object["admin_channels"])
        roles = Self.names(object["admin_roles"])
        email = object["email"]?.stringValue
        isDisabled = object["disabled"]?.boolValue
        for scope in object["collection_access"]?.objectValue ?? [:] {
            for collection in scope.value.objectValue ?? [:] {
                guard let names = Self.names(collection.value["admin_channels"]) else { continue }
                try read(names, scope: scope.key, collection: collection.key)
            }
        }
    }

    private mutating func read(_ names: Set<String>, scope: String, collection: String) throws(GatewayError) {
        guard let name = try? CollectionName(scope: scope, name: collection) else {
            throw GatewayError(
                404, "keyspace specified in collection_access (\(scope).\(collection)) not found")
        }
        if name.isDefault { defaultChannels = names } else { channels[name] = names }
    }

    private static func names(_ value: JSONValue?) -> Set<String>? {
        value?.arrayValue.map { Set($0.compactMap(\.stringValue)) }
    }

    /// Takes over everything but name and password.
    func apply(to principal: inout StoredPrincipal) {
        if let defaultChannels { principal.defaultChannels = defaultChannels }
        principal.channels.merge(channels) { _, new in new }
        guard !principal.isRole else { return }
        if let roles { principal.roles = roles }
        if let email { principal.email = email }
        if let isDisabled {
            if isDisabled, !principal.isDisabled { principal.sessionGeneration += 1 }
            principal.isDisabled = isDisabled
        }
    }
}
