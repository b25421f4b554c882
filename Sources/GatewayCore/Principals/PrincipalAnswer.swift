import AccessControl
import DocumentValues

/// A user or a role in the shape of the admin API; members in its order, empty lists left out.
struct PrincipalAnswer {
    let principal: StoredPrincipal
    let collections: [CollectionName]
    /// All channels in a collection, also through roles.
    let allChannels: (CollectionName) -> Set<Name>
    let allRoles: Set<Name>

    var json: JSONObject {
        var object: JSONObject = ["name": .string(principal.name.text)]
        object["admin_channels"] = Self.list(principal.defaultChannels)
        object["collection_access"] = collectionAccess
        if !principal.isRole {
            object["email"] = .string(principal.email)
            object["disabled"] = .bool(principal.isDisabled)
            object["admin_roles"] = Self.list(principal.roles)
            object["roles"] = Self.list(allRoles)
            addToken(to: &object)
        }
        if collections.contains(.default) { object["all_channels"] = Self.list(allChannels(.default)) }
        return object
    }

    private func addToken(to object: inout JSONObject) {
        guard let token = principal.token else { return }
        object["jwt_issuer"] = .string(token.issuer)
        object["jwt_roles"] = Self.list(token.roles)
        object["jwt_channels"] = Self.list(token.channels)
        object["jwt_last_updated"] = .string(ConfigurationTimes.text(token.updated))
    }

    private var collectionAccess: JSONValue? {
        var scopes = JSONObject()
        for collection in collections where !collection.isDefault {
            var entry = JSONObject()
            entry["admin_channels"] = Self.list(principal.explicitChannels(in: collection))
            entry["all_channels"] = Self.list(allChannels(collection))
            var scope = scopes[collection.scope]?.objectValue ?? JSONObject()
            scope[collection.name] = .object(entry)
            scopes[collection.scope] = .object(scope)
        }
        return scopes.isEmpty ? nil : .object(scopes)
    }

    private static func list(_ names: Set<Name>) -> JSONValue? {
        names.isEmpty ? nil : .list(names)
    }
}
