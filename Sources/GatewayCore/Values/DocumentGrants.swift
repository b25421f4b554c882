import DocumentValues

/// The grants of one document to users and roles.
struct DocumentGrants: Sendable, Hashable {
    /// Channels by principal: a user's name, or `role:` and a role's.
    var channels: [Name: Set<Name>] = [:]
    /// Roles by user.
    var roles: [Name: Set<Name>] = [:]

    init(channels: [Name: Set<Name>] = [:], roles: [Name: Set<Name>] = [:]) {
        self.channels = channels
        self.roles = roles
    }

    var isEmpty: Bool { channels.isEmpty && roles.isEmpty }

    /// One thing that is granted.
    struct Grant: Hashable {
        let principal: Name
        let kind: GrantKind
        let name: Name
    }

    var all: Set<Grant> {
        var result: Set<Grant> = []
        for (principal, names) in channels {
            for name in names { result.insert(Grant(principal: principal, kind: .channel, name: name)) }
        }
        for (user, names) in roles {
            for name in names { result.insert(Grant(principal: user, kind: .role, name: name)) }
        }
        return result
    }

    /// Approximate bytes, with the rows of all tables.
    var bytesOnDisk: Int {
        [channels, roles].joined().reduce(0) { sum, grant in
            let principal = grant.key.text.utf8.count
            return grant.value.reduce(sum) {
                $0 + GatewayLimits.bytesOfChannel + GatewayLimits.copiesOfName * (principal + $1.text.utf8.count)
            }
        }
    }

    // MARK: Stored form

    init(text: String) throws {
        let object = try JSONObject(parsing: Array(text.utf8))
        channels = Self.read(object["channels"])
        roles = Self.read(object["roles"])
    }

    var text: String {
        let object: JSONValue = ["channels": Self.write(channels), "roles": Self.write(roles)]
        return object.description
    }

    private static func read(_ value: JSONValue?) -> [Name: Set<Name>] {
        var result: [Name: Set<Name>] = [:]
        for member in value?.objectValue ?? [:] {
            result[Name(member.key)] = member.value.names
        }
        return result
    }

    private static func write(_ grants: [Name: Set<Name>]) -> JSONValue {
        .object(
            JSONObject(
                members: grants.sorted { $0.key < $1.key }.map { name, values in
                    JSONObject.Member(key: name.text, value: .list(values))
                }))
    }
}

enum GrantKind: String, Sendable, Hashable { case channel, role }
