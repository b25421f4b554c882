import FieldRecords

/// Notices changes by others in the user's records while the shell waits: a sync service brings them without a message here.
/// After its first look it reads only new ones.
struct ChangeWatch {
    private var through: UInt64?
    private var shown: Set<ChangesByOthers> = []

    /// - Returns: the changes that were not named yet; none at the first look, because the greeting counts them.
    mutating func new(in field: FieldDatabase, of user: String) throws -> [ChangesByOthers] {
        var sequence = through ?? 0
        let changes = try field.receivedChanges.new(of: user, after: &sequence)
        defer { through = sequence }
        // Changes that only differ in whether the user was notified are not new.
        let unknown = changes.filter { !shown.contains($0.unnoticed) }
        shown.formUnion(unknown.map(\.unnoticed))
        return through == nil ? [] : unknown
    }
}
