/// `replicator`: settings for clients that sync.
package struct ReplicationConfiguration: Sendable, Hashable {
    /// The level at which messages are compressed, 1 to 9; 0: not at all. `nil` for the default (3).
    package var compressionLevel: Int32?
    /// How many clients may sync at once; 0: as many as there are connections.
    package var connections = 0

    package init() {}

    /// - Parameter root: contains the level as `replicator_compression` in older files.
    init(_ reader: ConfigurationReader, root: ConfigurationReader) throws(ConfigurationError) {
        try reader.allow(["blip_compression", "max_concurrent_replications"], passedOver: PassedOver.replicator)
        let older = try root.number("replicator_compression", in: 0...9)
        compressionLevel = (try reader.number("blip_compression", in: 0...9) ?? older).map { Int32($0) }
        connections = try reader.number("max_concurrent_replications", in: 0...1_000_000) ?? 0
    }
}
