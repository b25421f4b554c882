/// The documents that a push or a pull has taken on, and those of them that are not done yet. How many are done follows from
/// the two: it is never more than there are, and never all before the last one is.
struct DocumentCount: Sendable, Hashable {
    private(set) var total: UInt64 = 0
    private(set) var open: UInt64 = 0

    init() {}

    init(total: UInt64, open: Int) {
        self.total = total
        self.open = UInt64(open)
    }

    var completed: UInt64 { total - open }

    mutating func begin() {
        total += 1
        open += 1
    }

    mutating func end() { open -= 1 }
}
