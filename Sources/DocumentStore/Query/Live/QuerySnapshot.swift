import DocumentValues

/// All rows of a query at one moment, with the collections that they came from.
struct QuerySnapshot: Sendable {
    let columns: [String]
    let rows: [ResultRow]
    let origin: ValueOrigin
    let collections: Set<CollectionName>

    var results: ResultSet { ResultSet(columns, rows: rows, reader: nil, origin: origin) }
}
