import DocumentValues

/// What one document grants to users and roles.
struct DocumentGrants: Sendable, Hashable {
    /// Channels by principal: a user's name, or `role:` and a role's.
    var channels: [String: Set<String>] = [:]
    /// Roles by user.
    var roles: [String: Set<String>] = [:]

    init(channels: [String: Set<String>] = [:], roles: [String: Set<String>] = [:]) {
        self.channels = channels
        self.roles = roles
    }

    var isEmpty: Bool { channels.isEmpty && roles.isEmpty }

    /// One thing that is granted.
    struct Grant: Hashable {
        let principal: String
        let kind: GrantKind
        let name: String
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

    private static func read(_ value: JSONValue?) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for member in value?.objectValue ?? [:] {
            result[member.key] = Set((member.value.arrayValue ?? []).compactMap(\.stringValue))
        }
        return result
    }

    private static func write(_ grants: [String: Set<String>]) -> JSONValue {
        .object(
            JSONObject(
                members: grants.sorted { $0.key < $1.key }.map { name, values in
                    JSONObject.Member(key: name, value: .array(values.sorted().map { .string($0) }))
                }))
    }
}

enum GrantKind: String, Sendable, Hashable { case channel, role }
