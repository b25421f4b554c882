/// A set of documents with unique ids.
public final class Collection: Sendable {
    public static let defaultCollectionName = "_default"

    public let name: String
    public let scope: Scope

    init(name: String, scope: Scope) {
        self.name = name
        self.scope = scope
    }

    public var database: Database { scope.database }
    /// `scope.collection`.
    public var fullName: String { "\(scope.name).\(name)" }
}
