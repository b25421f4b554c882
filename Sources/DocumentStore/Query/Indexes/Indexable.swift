/// A type with indexes: a ``Collection``.
public protocol Indexable {
    /// The names of the indexes.
    func indexes() throws -> [String]
    /// Makes an index from ``IndexBuilder``.
    func createIndex(_ index: any Index, name: String) throws
    /// Makes an index.
    func createIndex(withName name: String, config: any IndexConfiguration) throws
    /// Removes an index; nothing happens where there is none of that name.
    func deleteIndex(forName name: String) throws
}

extension Collection: Indexable {}
