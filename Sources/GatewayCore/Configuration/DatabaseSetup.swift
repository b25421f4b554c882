import DocumentValues
import SyncFunction

/// The meaning of a configuration: the collections with their numbers and sync functions. A value; a new configuration
/// makes a new one.
struct DatabaseSetup: Sendable {
    struct Collection: Sendable {
        let number: Int64
        let name: CollectionName
        /// Of the configuration; `nil` where the default applies.
        let functionText: String?

        var function: SyncFunctionSource {
            functionText.map { SyncFunctionSource($0) } ?? .standard(for: name)
        }
    }

    let collections: [CollectionName: Collection]
    let names: [Int64: CollectionName]
    let configuration: GatewayDatabaseConfiguration

    init(_ configuration: GatewayDatabaseConfiguration, collections: [Collection]) {
        self.configuration = configuration
        self.collections = Dictionary(uniqueKeysWithValues: collections.map { ($0.name, $0) })
        names = Dictionary(uniqueKeysWithValues: collections.map { ($0.number, $0.name) })
    }
}
