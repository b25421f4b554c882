import DocumentStore
import DocumentValues

/// Lists that the people of this laptop keep under a name. They are never exchanged.
public struct SavedViews: RecordService {
    let store: RecordStore

    private static let collection = "views"
    private static let tokens = "tokens"

    /// A view and the values of its command, in the order of their names.
    public struct View: Sendable, Hashable {
        @Exact public private(set) var name: String
        public let tokens: [Name]
    }

    public func all() throws -> [View] {
        var views: [View] = []
        try collection().forEachBody { id, body in
            let values = JSONObject.readable(body)?[Self.tokens]?.arrayValue ?? []
            views.append(View(name: id, tokens: values.compactMap(\.stringValue).map { Name($0) }))
        }
        return views.sorted { $0.name.isExactlyBefore($1.name) }
    }

    /// Replaces one of the same name.
    ///
    /// - Throws: `StoreError` where the disk is full.
    public func save(_ name: String, tokens: [Name]) throws {
        let body: JSONObject = [Self.tokens: .array(tokens.map { .string($0.text) })]
        try collection().save(bodies: [(name, body.bytes)])
    }

    /// - Returns: false if there is none of this name.
    public func remove(_ name: String) throws -> Bool {
        guard try all().contains(where: { $0.name.isExactly(name) }) else { return false }
        try collection().purge(id: name)
        return true
    }

    private func collection() throws -> Collection {
        try database.createCollection(name: Self.collection, scope: "laptop")
    }
}
