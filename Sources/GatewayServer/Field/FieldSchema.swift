import DocumentValues

/// The field application's database: its collections, its roles, and the rules of its sync function.
package enum FieldSchema {
    package static let scope = FieldCollections.scope
    package static let collections = FieldCollections.names
    /// The sync function, with the rules of all kinds of records.
    package static let syncFunction = String(decoding: PackageResources.field_sync_js, as: UTF8.self)

    /// The same for the records of one collection.
    package static func syncFunction(of collection: String) -> String {
        let kind = String(decoding: collection.utf8.dropLast(), as: UTF8.self)
        return syncFunction.replacing("var kind = \"\";", with: "var kind = \"\(kind)\";", maxReplacements: 1)
    }

    /// The role of a user in a field team, which the sync function requires.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// Writes records of the districts granted to them.
        case inspector
        /// Also approves, returns, assigns, and deletes records of others.
        case supervisor
        /// Sees all districts; also writes forms, and takes over registers of earlier years.
        case office
    }

    /// The configuration of a new database, as `PUT /{db}/` takes it.
    static var configuration: JSONObject { ["scopes": [scope: ["collections": .object(entries(collections))]]] }

    /// Collections with the sync function, as a configuration names them.
    static func entries(_ names: [String]) -> JSONObject {
        JSONObject(members: names.map { .init(key: $0, value: ["sync": .string(syncFunction(of: $0))]) })
    }

    /// `collection_access` that grants these channels in every collection.
    static func access(_ channels: [String]) -> JSONValue { access(collections.map { ($0, channels) }) }

    /// `collection_access` that grants each collection its channels.
    static func access(_ granted: [(collection: String, channels: [String])]) -> JSONValue {
        let entries = granted.map { collection, channels in
            JSONObject.Member(
                key: collection, value: ["admin_channels": .array(channels.map { .string($0) })])
        }
        return [scope: .object(JSONObject(members: entries))]
    }

    /// The channels that a user or a role was given directly.
    ///
    /// - Parameter principal: as the admin port shows it; `nil` has none.
    static func channels(of principal: JSONObject?, in collection: String) -> [String] {
        principal?["collection_access"]?[scope]?[collection]?["admin_channels"]?.texts ?? []
    }
}

/// A district of a field team. Its channel is granted by a role of its own, so that a user has a district in all
/// collections or in none.
package struct FieldDistrict: Sendable, Hashable {
    static let prefix = "district."

    package let name: String

    /// `nil` for a name that laptops refuse: only letters, digits, `-` and `_` are allowed.
    package init?(_ name: String) {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
        }
        guard isPlain, (1...GatewayServerLimits.districtName).contains(name.utf8.count) else { return nil }
        self.name = name
    }

    /// The district that a channel or a role belongs to.
    init?(key: String) {
        guard key.utf8.starts(with: Self.prefix.utf8) else { return nil }
        self.init(String(decoding: key.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self))
    }

    /// By bytes: names that look alike are two districts, as they are two channels.
    package static func == (left: FieldDistrict, right: FieldDistrict) -> Bool { left.name.isExactly(right.name) }

    package func hash(into hasher: inout Hasher) { for byte in name.utf8 { hasher.combine(byte) } }

    /// The name of its channel, and of the role that grants it.
    package var key: String { Self.prefix + name }
}
