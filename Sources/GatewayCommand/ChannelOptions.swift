import ArgumentParser
import DocumentValues
import GatewayServer

/// Channels of collections, as options.
struct ChannelOptions: ParsableArguments {
    private static let shape = "scope.collection=channel,channel"

    @Option(
        help: ArgumentHelp(
            "Channels of a collection, replacing those it had; may be given several times.", valueName: shape))
    var channels: [String] = []

    @Option(
        help: ArgumentHelp(
            "Channels to add to those of a collection; may be given several times.", valueName: shape))
    var addChannel: [String] = []

    @Option(
        help: ArgumentHelp(
            "Channels to remove from those of a collection; may be given several times.", valueName: shape))
    var removeChannel: [String] = []

    func validate() throws {
        for texts in [channels, addChannel, removeChannel] { for text in texts { _ = try Self.parse(text) } }
    }

    private static func parse(_ text: String) throws -> (collection: CollectionName, channels: [String]) {
        let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) ?? "" }
        guard parts.count == 2, let collection = try? CollectionName(parsing: parts[0]) else {
            throw ValidationError("'\(text)' is not of the form \(shape)")
        }
        return (collection, parts[1].utf8.split(separator: UInt8(ascii: ",")).compactMap { String($0) })
    }

    /// The members for the admin port: `collection_access`, and `admin_channels` for the default collection. Only
    /// collections that an option names are in them.
    ///
    /// - Parameter present: the present user or role; `nil` for a new one.
    func object(present: JSONObject?) throws -> JSONObject {
        var granted: [(collection: CollectionName, channels: [String])] = []
        func change(_ collection: CollectionName, body: (inout [String]) -> Void) {
            if !granted.contains(where: { $0.collection == collection }) {
                granted.append((collection, Self.channels(of: collection, present)))
            }
            for index in granted.indices where granted[index].collection == collection {
                body(&granted[index].channels)
            }
        }
        for text in channels {
            let (collection, channels) = try Self.parse(text)
            change(collection) { $0 = channels }
        }
        for text in addChannel {
            let (collection, channels) = try Self.parse(text)
            change(collection) { known in
                known += channels.filter { channel in !known.contains { $0.isExactly(channel) } }
            }
        }
        for text in removeChannel {
            let (collection, channels) = try Self.parse(text)
            let held = granted.first { $0.collection == collection }?.channels ?? Self.channels(of: collection, present)
            if let unknown = channels.first(where: { !held.containsExactly($0) }) {
                let near = Suggestion.text(for: unknown, among: held)
                throw ValidationError("There is no channel '\(unknown)' to remove in \(collection)\(near)")
            }
            change(collection) { known in known.removeAll { channels.containsExactly($0) } }
        }
        return Self.object(granted)
    }

    private static func channels(of collection: CollectionName, _ principal: JSONObject?) -> [String] {
        let access =
            collection.isDefault
            ? principal?["admin_channels"]
            : principal?["collection_access"]?[collection.scope]?[collection.name]?["admin_channels"]
        return (access?.arrayValue ?? []).compactMap(\.stringValue)
    }

    private static func object(_ granted: [(collection: CollectionName, channels: [String])]) -> JSONObject {
        var object = JSONObject()
        var access = JSONObject()
        for (collection, channels) in granted {
            let names = JSONValue.array(channels.map { .string($0) })
            guard !collection.isDefault else {
                object["admin_channels"] = names
                continue
            }
            var scope = access[collection.scope]?.objectValue ?? [:]
            scope[collection.name] = ["admin_channels": names]
            access[collection.scope] = .object(scope)
        }
        if !access.isEmpty { object["collection_access"] = .object(access) }
        return object
    }
}
