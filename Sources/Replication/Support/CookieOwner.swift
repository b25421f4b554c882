import DocumentStore
import DocumentValues

/// Whose cookies a jar has: those of one database, for connections of one user. A database that is deleted and made again under
/// its name is another one.
struct CookieOwner: Sendable, Hashable {
    private let database: [UInt8]
    private let user: BasicAuthenticator?
    private let session: SessionAuthenticator?
    /// Headers, with which a program may sign in without an authenticator.
    private let headers: [Name]

    init(_ configuration: ReplicatorConfiguration, store: ReplicationStore) {
        database = store.privateUUID
        user = configuration.authenticator as? BasicAuthenticator
        session = configuration.authenticator as? SessionAuthenticator
        let own = (configuration.headers ?? [:]).filter { header in
            ["authorization", "cookie"].containsExactly(header.key.lowercased())
        }
        headers = own.values.map { Name($0) }.sorted()
    }
}
