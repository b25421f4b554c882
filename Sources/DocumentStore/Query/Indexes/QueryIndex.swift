/// An index of a collection by its name.
public final class QueryIndex: Sendable {
    /// The collection that it is of.
    public let collection: Collection
    /// Unique in the database.
    public let name: String

    init(name: String, collection: Collection) {
        self.name = name
        self.collection = collection
    }
}
