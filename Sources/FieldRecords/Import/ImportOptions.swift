import DocumentValues

/// How files are to be imported.
public struct ImportOptions: Sendable, Hashable {
    /// Which columns of the files represent which of ours.
    public var columns: [ColumnChoice] = []
    /// What the rows of the files are, where neither their names nor their columns say so.
    public var table: ImportTable?
    /// Only reports what would be imported; nothing is written.
    public var isPreview = false
    /// Imports nothing at all where a row would be left out.
    public var isStrict = false

    public init() {}
}

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
