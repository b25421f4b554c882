import DocumentQuery

/// Metadata of documents.
public enum Meta {
    /// The document's id.
    public static var id: any MetaExpressionProtocol { meta("id") }
    /// The id of the document's revision.
    public static var revisionID: any MetaExpressionProtocol { meta("revisionID") }
    /// The document's sequence number, which grows with each change in the collection.
    public static var sequence: any MetaExpressionProtocol { meta("sequence") }
    /// Whether the document is deleted, as 1 or 0. A query that has it anywhere sees deleted documents, too.
    public static var isDeleted: any MetaExpressionProtocol { meta("deleted") }
    /// When the document will be purged, in milliseconds since 1970; MISSING where it will not.
    public static var expiration: any MetaExpressionProtocol { meta("expiration") }

    private static func meta(_ key: String) -> any MetaExpressionProtocol {
        BuiltExpression(.meta(alias: nil, key: key))
    }
}
