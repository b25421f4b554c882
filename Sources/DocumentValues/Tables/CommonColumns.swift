/// The columns of a table that documents name: the names that most documents have, up to the limit of a table.
///
/// A document may have thousands of members that no other one has. With a column for each of them every row of the table
/// would get longer, and the table would grow with the square of its content.
public struct CommonColumns: Sendable {
    /// Columns of a table for names in its documents.
    public static let limit = 500
    /// Names that are counted; a table with more names has columns for some of the early ones.
    static let countedNames = 1_000_000
    /// Bytes of all of them.
    static let countedBytes = 64 << 20
    /// Bytes of a name that is a column's heading: a longer one is content.
    public static let longestName = 250

    private var counts: [Name: Int] = [:]
    /// In the order in which they first appear.
    private var names: [Name] = []
    private var bytes = 0
    private var hasUncounted = false

    public init() {}

    /// Counts the names of one document. If it has more than a table has columns, only the first ones are counted.
    ///
    /// - Parameter document: the names of the document, each once.
    public mutating func count(_ document: some Sequence<Name>) {
        var taken = 0
        for name in document {
            guard taken < Self.limit else {
                hasUncounted = true
                return
            }
            taken += 1
            let length = name.text.utf8.count
            guard length <= Self.longestName else {
                hasUncounted = true
                continue
            }
            if let count = counts[name] {
                counts[name] = count + 1
            } else if names.count < Self.countedNames, bytes + length <= Self.countedBytes {
                counts[name] = 1
                bytes += length
                names.append(name)
            } else {
                hasUncounted = true
            }
        }
    }

    /// Whether documents have names without a column.
    public var isCut: Bool { hasUncounted || names.count > Self.limit }

    /// In the order in which they first appeared: all of them, or those that most documents have.
    public var chosen: [Name] {
        guard names.count > Self.limit else { return names }
        let byCount = names.enumerated().sorted { first, second in
            let counts = (counts[first.element] ?? 0, counts[second.element] ?? 0)
            return counts.0 == counts.1 ? first.offset < second.offset : counts.0 > counts.1
        }
        return byCount.prefix(Self.limit).sorted { $0.offset < $1.offset }.map(\.element)
    }
}
