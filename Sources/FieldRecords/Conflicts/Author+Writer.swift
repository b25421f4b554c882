extension Author {
    /// Who sends what is merged here; `nil` where nobody has signed in.
    var writer: RecordConflictResolver.Writer? {
        name.map { RecordConflictResolver.Writer(user: $0, device: device) }
    }
}
