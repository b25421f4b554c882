import DocumentValues

/// The differences between two versions of a record's photos: a count would not show which photos they are.
struct PhotoChanges {
    /// `photo door.jpg added`, `photo door.jpg: caption nothing → Back door`; empty where they are the same in another order,
    /// or where very many were added and removed.
    let lines: [String]

    private static let members = [("name", "name"), ("caption", "caption"), ("takenAt", "taken")]

    init(from old: JSONValue?, to new: JSONValue?) {
        let (olds, news) = (Self.items(old), Self.items(new))
        let (before, after) = (Self.byKey(olds), Self.byKey(news))
        let removed = olds.filter { after[$0.key] == nil }
        let added = news.filter { before[$0.key] == nil }
        guard removed.count + added.count <= FieldRecordsLimits.namedPhotos else {
            lines = []
            return
        }
        let changed = news.flatMap { key, item in before[key].map { Self.lines(from: $0, to: item) } ?? [] }
        lines =
            removed.map { "photo \(Self.name(of: $0.value)) removed" }
            + added.map { "photo \(Self.name(of: $0.value)) added" } + changed
    }

    private static func items(_ photos: JSONValue?) -> [(key: Name, value: JSONValue)] {
        let items = photos?.arrayValue ?? []
        return Array(zip(ItemKeys(items).keys, items)).map { (key: $0.0, value: $0.1) }
    }

    private static func byKey(_ items: [(key: Name, value: JSONValue)]) -> [Name: JSONValue] {
        Dictionary(items.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func name(of photo: JSONValue) -> String { RecordDifference.text(photo["name"]) }

    private static func lines(from old: JSONValue, to new: JSONValue) -> [String] {
        let name = Self.name(of: old)
        return members.compactMap { member, label -> String? in
            guard old[member] != new[member] else { return nil }
            let before = RecordDifference.text(old[member])
            let after = RecordDifference.text(new[member])
            return "photo \(name): \(label) \(before)\(RecordDifference.arrow)\(after)"
        }
    }
}
