import DocumentValues

extension Database {
    /// The scope `_default`, which is always there.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func defaultScope() throws -> Scope {
        _ = try core()
        return Scope(name: Self.defaultScopeName, database: self)
    }

    /// The default scope and those that have collections, in the order of the bytes of their names.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func scopes() throws -> [Scope] {
        let names = Set(try core().read(CollectionCatalog.all).map { Name($0.name.scope) })
        return names.union([Name(Self.defaultScopeName)]).sorted().map { Scope(name: $0.text, database: self) }
    }

    /// `nil` if no collection is in that scope; the default scope is always there.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func scope(name: String) throws -> Scope? { try scopes().first { $0.name.isExactly(name) } }

    /// The collection `_default`, which is always there.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func defaultCollection() throws -> Collection {
        guard let collection = try collection(name: Self.defaultCollectionName) else {
            throw StoreError.noCollection(.default)
        }
        return collection
    }

    /// The collections of a scope, in the order of their names; `nil` means the default scope.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func collections(scope: String? = defaultScopeName) throws -> [Collection] {
        let scope = scope ?? Self.defaultScopeName
        return try core().read(CollectionCatalog.all).filter { $0.name.scope.isExactly(scope) }.map(collection)
    }

    /// Returns the collection, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - name: 1 to 251 letters, digits, `_`, `-` and `%`, with neither `_` nor `%` in front; or `_default` in the default
    ///     scope.
    ///   - scope: of the same form, or `_default`; `nil` means the default scope.
    /// - Throws: `.invalidParameter` for another name; `.notOpen` if the database is closed, and `.busy`.
    public func createCollection(name: String, scope: String? = defaultScopeName) throws -> Collection {
        let name = try Self.name(name, scope: scope)
        let core = try core()
        if let record = try core.read({ try CollectionCatalog.find(name, $0) }) { return collection(record) }
        let record = try core.write { try $0.createCollection(name) }
        LibraryLog.database.verbose("Created the collection \(name)")
        return collection(record)
    }

    /// `nil` if there is no such collection.
    ///
    /// - Throws: `.invalidParameter` for a name that no collection or scope can have; `.notOpen` if the database is closed.
    public func collection(name: String, scope: String? = defaultScopeName) throws -> Collection? {
        let name = try Self.name(name, scope: scope)
        return try core().read { try CollectionCatalog.find(name, $0) }.map(collection)
    }

    /// Deletes the collection with all its documents; nothing happens if there is none.
    ///
    /// - Throws: `.invalidParameter` for the default collection, and for a name that none can have; `.notOpen` if the database
    ///   is closed, and `.busy`.
    public func deleteCollection(name: String, scope: String? = defaultScopeName) throws {
        let name = try Self.name(name, scope: scope)
        guard !name.isDefault else {
            throw StoreError(.invalidParameter, message: "The default collection cannot be deleted.")
        }
        try core().writeMakingRoom { try $0.deleteCollection(name) }
        LibraryLog.database.info("Deleted the collection \(name)")
    }

    /// All collections of all scopes.
    package func allCollections() throws -> [Collection] {
        try core().read(CollectionCatalog.all).map(collection)
    }

    package func collection(_ name: CollectionName) throws -> Collection? {
        try collection(name: name.name, scope: name.scope)
    }

    private func collection(_ record: CollectionRecord) -> Collection {
        Collection(record, scope: Scope(name: record.name.scope, database: self))
    }

    private static func name(_ name: String, scope: String?) throws -> CollectionName {
        do throws(NameError) { return try CollectionName(scope: scope ?? defaultScopeName, name: name) } catch {
            throw StoreError(.invalidParameter, message: "\(error).", underlying: error)
        }
    }
}
