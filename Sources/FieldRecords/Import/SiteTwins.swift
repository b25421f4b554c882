import DocumentValues

/// Which of a register's rows with one id is which site: the one that is here and came of the same row, so that another order
/// of the rows swaps no sites. The others get the ids that are left, in their order.
struct SiteTwins {
    /// The ids of each group's rows, the last row first.
    private var ids: [Name: [String]] = [:]

    /// - Parameters:
    ///   - rows: the id that each row would have alone, and its digest, in the order of the table.
    ///   - isTaken: whether an earlier file has the id.
    ///   - digest: of the row that the site here of an id came of; `nil` where there is none.
    init(
        _ rows: [(id: String, digest: String)], isTaken: (String) -> Bool, digest known: (String) throws -> String?
    ) rethrows {
        var groups: [Name: [String]] = [:]
        for row in rows { groups[Name(row.id), default: []].append(row.digest) }
        for (id, digests) in groups where digests.count > 1 {
            ids[id] = try Self.assigned(digests, id: id.text, isTaken: isTaken, digest: known).reversed()
        }
    }

    private static func assigned(
        _ digests: [String], id: String, isTaken: (String) -> Bool, digest known: (String) throws -> String?
    ) rethrows -> [String] {
        var (free, owners): ([String], [Name: [String]]) = ([], [:])
        var number = 1
        // As many as there are rows, and those beyond that are here.
        while true {
            let candidate = number == 1 ? id : "\(id)-\(number)"
            number += 1
            guard !isTaken(candidate) else { continue }
            let owner = try known(candidate)
            if owner == nil, free.count >= digests.count { break }
            free.append(candidate)
            if let owner { owners[Name(owner), default: []].append(candidate) }
        }
        var given: [String?] = digests.map { digest in
            guard let own = owners[Name(digest)]?.first else { return nil }
            owners[Name(digest)]?.removeFirst()
            return own
        }
        let claimed = Set(given.compactMap { $0.map { Name($0) } })
        var rest = free.filter { !claimed.contains(Name($0)) }[...]
        for index in given.indices where given[index] == nil { given[index] = rest.popFirst() }
        return given.compactMap(\.self)
    }

    /// The id of the next row that would have this one alone; `nil` where no other row would.
    mutating func next(_ id: String) -> String? { ids[Name(id)]?.popLast() }
}
