import DocumentValues

/// What differs between two versions of the same photos: a count of them says nothing then.
struct PhotoChanges {
    /// `photo door.jpg: caption nothing → Back door`; empty where they are others, or in another order.
    let lines: [String]

    private static let members = [("name", "name"), ("caption", "caption"), ("takenAt", "taken")]

    init(from old: JSONValue?, to new: JSONValue?) {
        let (olds, news) = (old?.arrayValue ?? [], new?.arrayValue ?? [])
        let areSame = olds.map { ItemKeys.digest($0) } == news.map { ItemKeys.digest($0) }
        lines = areSame ? zip(olds, news).flatMap { Self.lines(from: $0, to: $1) } : []
    }

    private static func lines(from old: JSONValue, to new: JSONValue) -> [String] {
        let name = RecordDifference.text(old["name"], of: "name")
        return members.compactMap { member, label -> String? in
            guard old[member] != new[member] else { return nil }
            let before = RecordDifference.text(old[member], of: member)
            let after = RecordDifference.text(new[member], of: member)
            return "photo \(name): \(label) \(before)\(RecordDifference.arrow)\(after)"
        }
    }
}
