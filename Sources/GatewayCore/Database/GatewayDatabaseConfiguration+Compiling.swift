import DocumentValues
import SyncFunction

extension GatewayDatabaseConfiguration {
    /// A configuration whose sync functions compile, and whose guest can be stored.
    ///
    /// - Throws: 400 with the error in it.
    init(checking json: JSONObject, of database: String, environment: DatabaseEnvironment) async throws {
        try Self.checkWhole(json)
        try self.init(json)
        try guest?.checkCollections(among: Set(collections.map(\.name)), of: database)
        try guest?.checkNames()
        for collection in collections {
            let prefix = json["scopes"] == nil ? "" : "collection \"\(collection.name.name)\" "
            for (text, name) in [
                (collection.syncFunction, "sync function"), (collection.importFilter, "import filter"),
            ] {
                guard let text,
                    let problem = try await environment.syncFunctions.problem(with: SyncFunctionSource(text))
                else { continue }
                throw GatewayError.invalidConfiguration("\(prefix)\(name) error: \(problem)")
            }
        }
        for issuer in tokenIssuers { try await issuer.checkKeys() }
    }
}
