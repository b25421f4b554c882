import DocumentValues

/// Makes values of a type from the rows of a query, one after the other, without an object for each row.
struct RowDecoder<Value: Decodable> {
    private let columns: ResultColumns
    /// The column that is decoded alone, and its index if the rows have it. Both the index and whether the type is a class are
    /// looked up once, since either takes as long as to decode a member.
    private let dataKey: String?
    private let dataIndex: Int?
    private let isOfClass: Bool
    private let origin: ValueOrigin
    private var decoder: DocumentDecoder

    init(_ columns: ResultColumns, dataKey: String?, origin: ValueOrigin) {
        self.columns = columns
        self.dataKey = dataKey
        dataIndex = dataKey.flatMap { columns.index(of: $0) }
        isOfClass = Value.self is AnyObject.Type
        self.origin = origin
        decoder = DocumentDecoder(origin)
    }

    /// - Throws: ``StoreError`` `.invalidParameter` where a value does not fit the type, with its path; `.corruptData` where
    ///   the row has something that is no JSON.
    mutating func decode(_ row: ResultRow) throws -> Value {
        do { return try decodeSound(row) } catch {
            try row.refuseDamage { columns.names[$0] }
            throw error
        }
    }

    private mutating func decodeSound(_ row: ResultRow) throws -> Value {
        guard let dataKey else { return try decoder.decode(Value.self, from: row.json(columns)) }
        guard let dataIndex, !row.values[dataIndex].isMissing else {
            throw StoreError(
                .invalidParameter, message: "The row has no value of that name.", context: ["column": dataKey])
        }
        let value = try decoder.decode(Value.self, from: row.values[dataIndex].bytes)
        if isOfClass {
            let result = Result(row, columns: columns, origin: origin)
            DocumentID.fill(value as AnyObject) { result.string(forKey: $0) }
        }
        return value
    }
}
