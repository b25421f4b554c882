import DocumentValues

/// How files are to be imported.
public struct ImportOptions: Sendable, Hashable {
    /// Which columns of the files represent which of ours.
    public var columns: [ColumnChoice] = []
    /// The kind of the rows, if neither the names of the files nor their columns show it.
    public var table: ImportTable?
    /// Only reports what would be imported; nothing is written.
    public var isPreview = false
    /// Imports nothing at all where a row would be left out.
    public var isStrict = false

    public init() {}
}
