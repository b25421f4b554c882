import FieldRecords

/// The records behind the numbers of the list that was shown last. A number keeps its record as long as the list is the
/// last one, even if a sync adds or removes records.
struct LastList: ExpressibleByArrayLiteral {
    /// Those of the list itself, where it numbers them from 1.
    private let listed: ListedReferences
    /// All others.
    private var numbered: [Int: RecordReference]

    /// A list that is read as it is shown.
    init(_ listed: ListedReferences) {
        self.listed = listed
        numbered = [:]
    }

    /// Numbered from 1.
    init(_ references: [RecordReference]) { self.init(ListedReferences(references)) }

    init(arrayLiteral references: RecordReference...) { self.init(references) }

    /// With the numbers that the list itself gives, such as those of the outbox.
    init(numbered references: [(Int, RecordReference)]) {
        numbered = Dictionary(references, uniquingKeysWith: { first, _ in first })
        listed = ListedReferences([], rows: numbered.count)
    }

    subscript(number: Int) -> RecordReference? { listed[number] ?? numbered[number] }

    /// How many records the list itself has shown.
    var rows: Int { listed.rows }

    /// Whether it has shown all its records.
    var isWhole: Bool { listed.isWhole }

    var isEmpty: Bool { listed.isEmpty && numbered.isEmpty }

    /// In the order of their numbers.
    var references: [RecordReference] { listed.all + numbered.sorted { $0.key < $1.key }.map(\.value) }

    /// A record that is not in the list gets a number beyond it: those on the screen keep theirs.
    mutating func add(_ reference: RecordReference) -> Int {
        guard let last = numbered.keys.max() else { return listed.add(reference) }
        numbered[last + 1] = reference
        return last + 1
    }
}

extension ShellSession {
    /// From now on the numbers represent this list. An empty list has shown no numbers, so those on the screen keep their
    /// records.
    func number(_ list: LastList) {
        if !list.isEmpty { shown.list = list }
    }

    /// The rows with numbers, which represent this list from now on. Only the shell has them.
    func numbered(_ rows: Portions<Listing.Row>) throws -> Portions<Listing.Row> {
        guard isShell, !rows.isEmpty else { return rows }
        let listed = ListedReferences([], isWhole: false)
        shown.list = LastList(listed)
        return try rows.map(from: listed) { listed, rows in
            listed.numbered(rows)
        } atEnd: { listed in
            listed.end()
            return []
        }
    }

    /// The same for the rows of all groups.
    func numbered(_ groups: RecordGroups) throws -> RecordGroups {
        guard isShell, !groups.groups.isEmpty else { return groups }
        let listed = ListedReferences([], isWhole: false)
        shown.list = LastList(listed)
        var groups = groups
        groups.groups = try groups.groups.map(from: listed) { listed, parts in
            parts.map { part in
                var part = part
                part.rows = listed.numbered(part.rows)
                return part
            }
        } atEnd: { listed in
            listed.end()
            return []
        }
        return groups
    }

    /// The name of a new record in the next command.
    func name(ofNew reference: RecordReference) -> String {
        isShell ? String(shown.list.add(reference)) : reference.shortID
    }
}
