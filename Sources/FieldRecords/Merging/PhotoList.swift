import DocumentValues

/// The photos in a record's member of that name, as far as something is known of them: a damaged one has no name, or no digest.
struct PhotoList {
    private let items: [JSONValue]

    /// - Parameter object: the record's members.
    init(of object: JSONObject) { items = object["photos"]?.arrayValue ?? [] }

    /// The names of those whose file is in none of the others, whatever they are called there: a photo with another name is
    /// the same photo, and another photo with its name is not.
    func names(missingIn other: PhotoList) -> [Name] {
        let kept = Set(other.items.compactMap(ItemKeys.digest))
        return items.compactMap { item in
            guard let name = item["name"]?.stringValue, let digest = ItemKeys.digest(item), !kept.contains(digest)
            else { return nil }
            return Name(name)
        }
    }
}
