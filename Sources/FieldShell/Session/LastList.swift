import FieldRecords

/// What the numbers of the list that was shown last mean. A number keeps its record for as long as the list is the last
/// one, whatever a sync brings or takes meanwhile.
struct LastList: ExpressibleByArrayLiteral {
    private let records: [Int: RecordReference]

    /// Numbered from 1.
    init(_ references: [RecordReference]) {
        self.init(numbered: references.enumerated().map { ($0.offset + 1, $0.element) })
    }

    init(arrayLiteral references: RecordReference...) { self.init(references) }

    /// With the numbers that the list itself gives, such as those of the outbox.
    init(numbered references: [(Int, RecordReference)]) {
        records = Dictionary(references, uniquingKeysWith: { first, _ in first })
    }

    subscript(number: Int) -> RecordReference? { records[number] }

    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }

    /// In the order of their numbers.
    var references: [RecordReference] { records.sorted { $0.key < $1.key }.map(\.value) }
}
