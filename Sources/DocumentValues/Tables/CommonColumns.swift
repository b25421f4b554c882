/// The columns of a table that documents name: those that most of them have, as many as a table takes.
///
/// A document may have thousands of members that no other one has. With a column for each of them every row of the table
/// would be as long, and the table as large as the square of what is in it.
public struct CommonColumns: Sendable {
    /// Columns that a table has of its documents' names.
    public static let limit = 500
    /// Names that are counted; a table with more of them has columns for some that are there early.
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

    /// Counts what one document has. Of a document with more names than a table takes, the first ones count.
    ///
    /// - Parameter document: its names, each once.
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
