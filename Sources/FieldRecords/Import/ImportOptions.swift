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
