import DocumentValues

/// The channels that a user or a role was given directly, and not by a role or a sync function.
package struct DirectChannels: Sendable, Hashable {
    private struct Entry: Hashable {
        let collection: Name
        let channels: [Name]
    }

    /// Only collections with channels.
    private let entries: [Entry]

    private init(_ entries: [Entry]) { self.entries = entries.filter { !$0.channels.isEmpty } }

    /// - Parameter principal: as the admin port shows it.
    package init(of principal: JSONObject) {
        var entries = [Self.entry("\(CollectionName.default)", channels: principal["admin_channels"])]
        for scope in principal["collection_access"]?.objectValue ?? [:] {
            for collection in scope.value.objectValue ?? [:] {
                let channels = collection.value["admin_channels"]
                entries.append(Self.entry("\(scope.key).\(collection.key)", channels: channels))
            }
        }
        self.init(entries)
    }

    private static func entry(_ collection: String, channels: JSONValue?) -> Entry {
        Entry(collection: Name(collection), channels: (channels?.texts ?? []).map { Name($0) })
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// Those of all collections; the same one may be there several times.
    var allChannels: [String] { entries.flatMap(\.channels).map(\.text) }

    /// - Parameter collection: with its scope, such as `field.sites`.
    func channels(of collection: String) -> [String] {
        entries.filter { $0.collection == Name(collection) }.flatMap(\.channels).map(\.text)
    }

    /// The channels that the other one has, too.
    package func common(with other: DirectChannels) -> DirectChannels {
        DirectChannels(
            entries.map { entry in
                let others = other.channels(of: entry.collection.text)
                return Entry(
                    collection: entry.collection, channels: entry.channels.filter { others.containsExactly($0.text) })
            })
    }

    /// As the options of `user set` have them: `field.sites=district.harbour,north`, one for each collection.
    package var options: [String] {
        entries.map { "\($0.collection.text)=\($0.channels.map(\.text).joined(separator: ","))" }
    }

    /// For a person: `everything in field.sites`, one for each channel.
    var phrases: [String] {
        entries.flatMap { entry in
            entry.channels.map { "\($0.text.isExactly("*") ? "everything" : $0.text) in \(entry.collection.text)" }
        }
    }

    /// `{"field.sites": ["north"]}`
    var json: JSONObject {
        JSONObject(
            members: entries.map { entry in
                .init(key: entry.collection.text, value: .array(entry.channels.map { .string($0.text) }))
            })
    }
}
