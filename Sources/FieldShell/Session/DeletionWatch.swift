import FieldRecords

/// Notices deletions of the user's records by others while the shell waits: a sync service brings them without a message
/// here. After its first look it reads only new ones.
struct DeletionWatch {
    private var through: UInt64?
    private var shown: Set<DeletedRecord> = []

    /// - Returns: the deletions that were not named yet; none at the first look: the sync that brought them has named
    ///   them.
    mutating func new(in field: FieldDatabase, of user: String) throws -> [DeletedRecord] {
        var sequence = through ?? 0
        let deleted = try field.deletions.new(of: user, after: &sequence)
        defer { through = sequence }
        let unknown = deleted.filter { !shown.contains($0) }
        shown.formUnion(unknown)
        return through == nil ? [] : unknown
    }
}
