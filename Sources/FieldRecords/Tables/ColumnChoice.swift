import DocumentValues

/// A column that has another name in a file: `address` is `Street and number`.
public struct ColumnChoice: Sendable, Hashable {
    /// One of ours: `business_id`, `name`, `date` …
    @Exact public private(set) var field: String
    /// As the file's first row has it; empty where the file has no such column and none is missed.
    @Exact public private(set) var column: String

    public init(field: String, column: String) {
        self.field = field
        self.column = column
    }
}
