import DocumentValues

/// The keys by which every laptop recognizes the items of a list: a photo's is its blob's digest, even if its name and
/// caption have changed; any other item's is its content.
struct ItemKeys {
    /// As many as there are items, no two alike: a second item of the same key is `KEY#2`.
    let keys: [Name]

    init(_ items: [JSONValue]) {
        var seen: [Name: Int] = [:]
        keys = items.map { item in
            let key = Self.key(item)
            let count = seen[key, default: 0] + 1
            seen[key] = count
            return count == 1 ? key : Name("\(key.text)#\(count)")
        }
    }

    func index(of key: String) -> Int? { keys.firstIndex(of: Name(key)) }

    private static func key(_ item: JSONValue) -> Name {
        digest(item) ?? Name(String(decoding: ValueOrder.key(item), as: UTF8.self))
    }

    /// The digest of a photo's file; `nil` for an item that is no photo.
    static func digest(_ item: JSONValue) -> Name? {
        item["blob"]?[BlobMetadata.digestProperty]?.stringValue.map { Name($0) }
    }
}
