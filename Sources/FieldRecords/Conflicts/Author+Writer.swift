extension Author {
    /// The user who sends the merges of this laptop; `nil` if no user has signed in.
    var writer: RecordConflictResolver.Writer? {
        name.map { RecordConflictResolver.Writer(user: $0, device: device) }
    }
}
