/// Finds out, while SQLite goes through the rows of a query with ORDER BY and LIMIT, which of them cannot be among the first
/// ones any more: SQLite would compute all that the query says of each row, and sort it in, before it sees that.
///
/// It is given the documents of rows that fit the condition. Of as many as LIMIT says it knows the keys; a row that comes
/// behind all of these is not needed. Where the order is not clear from a few bytes, a row may be needed.
///
/// SQLite goes from old to new documents, and often the newest are wanted: so the last few are noted before, as a sample. Where
/// each row comes before those that were noted all the same, there is nothing to be saved: after some notes it gives up.
package struct FirstRows {
    private enum State {
        /// There are fewer keys than LIMIT says.
        case gathering
        /// Rows behind this key are not needed.
        case refusing(behind: SortKey)
        case gaveUp
    }

    /// Notes for each of the first rows until it gives up; where the rows come in no order, a million of them take some ten.
    private static let notesForRow = 20

    private var finder: BodyFinder
    private let order: FirstRowsOrder
    private var state = State.gathering
    private var notes = 0
    /// Documents of higher sequences were noted by a sample.
    private var sampledAbove: Int64?
    private var keys: SortedKeys

    package init(_ order: FirstRowsOrder) {
        finder = BodyFinder(order.path)
        self.order = order
        keys = SortedKeys(isDescending: order.isDescending)
    }

    /// Whether the row of a document may be one of the first.
    package mutating func mayHave(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .refusing(let last) = state, let side = last.side(of: finder.find(in: body)) else { return true }
        // Of those that are the same SQLite keeps the ones that it has; those of a sample it has not yet.
        if side == 0 { return order.hasMoreTerms || sampledAbove != nil }
        return order.isDescending == (side > 0)
    }

    /// The documents that are noted until now are those of higher sequences.
    package mutating func endSample(above sequence: Int64) {
        sampledAbove = sequence
        notes = 0
    }

    /// Notes the document of a row that fits the condition, once.
    package mutating func note(_ body: UnsafeBufferPointer<UInt8>, sequence: Int64) {
        if let sampledAbove, sequence > sampledAbove { return }
        if case .gaveUp = state { return }
        notes += 1
        guard notes <= order.count * Self.notesForRow else {
            state = .gaveUp
            return
        }
        guard let key = SortKey(finder.find(in: body)) else { return }
        keys.insert(key, limit: order.count)
        if keys.count == order.count, let last = keys.last { state = .refusing(behind: last) }
    }
}

/// What a statement's rows are sorted by first, and how many of them it is about.
package struct FirstRowsOrder: Sendable, Hashable {
    package let path: QueryPath
    package let isDescending: Bool
    /// LIMIT and OFFSET together.
    package let count: Int
    /// Whether rows of the same key are sorted by something else.
    package let hasMoreTerms: Bool

    package init(path: QueryPath, isDescending: Bool, count: Int, hasMoreTerms: Bool) {
        self.path = path
        self.isDescending = isDescending
        self.count = count
        self.hasMoreTerms = hasMoreTerms
    }
}
