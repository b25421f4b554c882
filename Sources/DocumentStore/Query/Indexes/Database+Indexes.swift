/// Spellings of Couchbase Lite 2.x and 3.0, which knew one collection: they mean the default one.
extension Database {
    /// For code of Couchbase Lite 2.x: the names of the default collection's indexes; none where they cannot be read.
    @available(*, deprecated, message: "Use defaultCollection().indexes().")
    public var indexes: [String] {
        // The older API has no way to report an error here, so it reports an absence.
        (try? defaultCollection().indexes()) ?? []
    }

    /// For code of Couchbase Lite 2.x: an index of the default collection.
    @available(*, deprecated, message: "Use defaultCollection().createIndex(_:name:).")
    public func createIndex(_ index: any Index, withName name: String) throws {
        try defaultCollection().createIndex(index, name: name)
    }

    /// For code of Couchbase Lite 3.0: an index of the default collection.
    @available(*, deprecated, message: "Use defaultCollection().createIndex(withName:config:).")
    public func createIndex(_ config: any IndexConfiguration, name: String) throws {
        try defaultCollection().createIndex(withName: name, config: config)
    }

    /// For code of Couchbase Lite 2.x: removes an index of the default collection; nothing happens where there is none.
    @available(*, deprecated, message: "Use defaultCollection().deleteIndex(forName:).")
    public func deleteIndex(forName name: String) throws { try defaultCollection().deleteIndex(forName: name) }
}
