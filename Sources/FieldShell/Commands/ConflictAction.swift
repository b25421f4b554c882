/// A person's decision about a conflict.
public enum ConflictAction: Sendable, Hashable {
    case list
    case show(String)
    /// - Parameters:
    ///   - side: for every field that `values` does not name: `mine`, `theirs`, `current`, `other`, a device or a user;
    ///     for a deletion `keep` or `delete`. `nil` where only fields are decided.
    ///   - values: such as `score=80` or `score=mine`.
    case take(String, side: String?, values: [FieldValue])
    /// Keeps all records that were deleted, or that the gateway lost.
    case keepAll
}
