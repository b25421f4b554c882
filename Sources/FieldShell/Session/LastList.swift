import FieldRecords

/// The records behind the numbers of the list that was shown last. A number keeps its record as long as the list is the
/// last one, even if a sync adds or removes records.
struct LastList: ExpressibleByArrayLiteral {
    /// Those of the list itself, where it numbers them from 1.
    private let listed: [RecordReference]
    /// All others.
    private var numbered: [Int: RecordReference]
    /// How many records the list itself shows.
    let rows: Int

    /// Numbered from 1.
    init(_ references: [RecordReference]) {
        listed = references
        numbered = [:]
        rows = references.count
    }

    init(arrayLiteral references: RecordReference...) { self.init(references) }

    /// With the numbers that the list itself gives, such as those of the outbox.
    init(numbered references: [(Int, RecordReference)]) {
        listed = []
        numbered = Dictionary(references, uniquingKeysWith: { first, _ in first })
        rows = numbered.count
    }

    subscript(number: Int) -> RecordReference? {
        number > 0 && number <= listed.count ? listed[number - 1] : numbered[number]
    }

    var isEmpty: Bool { listed.isEmpty && numbered.isEmpty }

    /// In the order of their numbers.
    var references: [RecordReference] { listed + numbered.sorted { $0.key < $1.key }.map(\.value) }

    /// A record that is not in the list gets a number beyond it: those on the screen keep theirs.
    mutating func add(_ reference: RecordReference) -> Int {
        let number = max(listed.count, numbered.keys.max() ?? 0) + 1
        numbered[number] = reference
        return number
    }
}

extension ShellSession {
    /// From now on the numbers represent this list. An empty list has shown no numbers, so those on the screen keep their
    /// records.
    func number(_ list: LastList) {
        if !list.isEmpty { shown.list = list }
    }

    /// The name of a new record in the next command.
    func name(ofNew reference: RecordReference) -> String {
        isShell ? String(shown.list.add(reference)) : reference.shortID
    }
}
