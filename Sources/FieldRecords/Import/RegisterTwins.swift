import DocumentValues

/// Assigns the rows of a register with one id to records: to the stored record from the same row, or else to one with the
/// same name, so that neither another order of the rows nor one that is gone swaps records. The others get the ids that are
/// left, in their order.
struct RegisterTwins {
    struct Row {
        /// The id that it would have alone.
        let id: String
        let digest: String
        let name: String
    }

    /// A record that is here.
    struct Known {
        /// The digest of the row from which it was made; `nil` if it was made from none.
        let digest: String?
        /// Empty for one without a name.
        let name: String
    }

    /// The ids of each group's rows, the last row first.
    private var ids: [Name: [String]] = [:]
    /// Those whose row is alone in the table by now.
    private(set) var alone: Set<Name> = []

    /// - Parameters:
    ///   - rows: in the order of the table.
    ///   - isTaken: whether an earlier file has the id.
    ///   - known: the record here of an id.
    init(_ rows: [Row], isTaken: (String) -> Bool, known: (String) throws -> Known?) rethrows {
        var groups: [Name: [Row]] = [:]
        for row in rows { groups[Name(row.id), default: []].append(row) }
        for (id, rows) in groups {
            // A row that is alone by now may be any of those that there were.
            guard try rows.count > 1 || known(Self.candidate(2, of: id.text)) != nil else { continue }
            if rows.count == 1 { alone.insert(id) }
            ids[id] = try Self.assigned(rows, id: id.text, isTaken: isTaken, known: known).reversed()
        }
    }

    private static func candidate(_ number: Int, of id: String) -> String { number == 1 ? id : "\(id)-\(number)" }

    private static func assigned(
        _ rows: [Row], id: String, isTaken: (String) -> Bool, known: (String) throws -> Known?
    ) rethrows -> [String] {
        var free: [(id: String, known: Known?)] = []
        // As many as there are rows, and those beyond that are here.
        for number in 1... {
            let candidate = candidate(number, of: id)
            guard !isTaken(candidate) else { continue }
            let record = try known(candidate)
            if record == nil, free.count >= rows.count { break }
            free.append((candidate, record))
        }
        var given = [String?](repeating: nil, count: rows.count)
        give(&given, of: &free, by: { $0.digest }, to: rows.map(\.digest))
        give(&given, of: &free, by: { $0.name }, to: rows.map(\.name))
        var rest = free.map(\.id)[...]
        for index in given.indices where given[index] == nil { given[index] = rest.popFirst() }
        return given.compactMap(\.self)
    }

    /// Gives the rows that have no id yet those of the records that have the same there, each once.
    private static func give(
        _ given: inout [String?], of free: inout [(id: String, known: Known?)], by text: (Known) -> String?,
        to rows: [String]
    ) {
        var owners: [Name: [Int]] = [:]
        for (index, entry) in free.enumerated().reversed() {
            if let owned = entry.known.flatMap(text) { owners[Name(owned), default: []].append(index) }
        }
        var claimed: Set<Int> = []
        for index in given.indices where given[index] == nil {
            guard let owner = owners[Name(rows[index])]?.popLast() else { continue }
            given[index] = free[owner].id
            claimed.insert(owner)
        }
        free = free.enumerated().filter { !claimed.contains($0.offset) }.map(\.element)
    }

    /// The id of the next row that would have this one alone; `nil` where no other row would.
    mutating func next(_ id: String) -> String? { ids[Name(id)]?.popLast() }
}
