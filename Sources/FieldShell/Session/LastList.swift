import FieldRecords

/// What the numbers of the list that was shown last mean. A number keeps its record for as long as the list is the last
/// one, whatever a sync brings or takes meanwhile.
struct LastList: ExpressibleByArrayLiteral {
    private var records: [Int: RecordReference]
    /// How many records the list itself shows.
    let rows: Int

    /// Numbered from 1.
    init(_ references: [RecordReference]) {
        self.init(numbered: references.enumerated().map { ($0.offset + 1, $0.element) })
    }

    init(arrayLiteral references: RecordReference...) { self.init(references) }

    /// With the numbers that the list itself gives, such as those of the outbox.
    init(numbered references: [(Int, RecordReference)]) {
        records = Dictionary(references, uniquingKeysWith: { first, _ in first })
        rows = records.count
    }

    subscript(number: Int) -> RecordReference? { records[number] }

    var isEmpty: Bool { records.isEmpty }

    /// In the order of their numbers.
    var references: [RecordReference] { records.sorted { $0.key < $1.key }.map(\.value) }

    /// A record that is not in the list gets a number beyond it: those on the screen keep theirs.
    mutating func add(_ reference: RecordReference) -> Int {
        let number = (records.keys.max() ?? 0) + 1
        records[number] = reference
        return number
    }
}

extension ShellSession {
    /// What the numbers represent from now on. An empty list has shown none, and so those on the screen stay what they are.
    func number(_ list: LastList) {
        if !list.isEmpty { listing = list }
    }

    /// What the next command names a record by that was made just now.
    func name(ofNew reference: RecordReference) -> String {
        isShell ? String(listing.add(reference)) : reference.shortID
    }
}
