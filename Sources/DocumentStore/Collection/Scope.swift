/// A namespace of collections.
public final class Scope: Sendable {
    public static let defaultScopeName = "_default"

    public let name: String
    public let database: Database

    init(name: String, database: Database) {
        self.name = name
        self.database = database
    }
}
