import FieldRecords

/// The records about which people still have to decide.
struct OpenConflicts {
    let session: ShellSession

    /// Those that the user is asked to decide now.
    func all() throws -> [RecordConflict] {
        var questions = try OpenQuestions(of: session.settings().user, in: session.field().store)
        return try ofAllUsers().compactMap { try questions.about($0) }
    }

    func ofAllUsers() throws -> [RecordConflict] {
        try session.noticed.conflicts.conflicts(in: session.field().store)
    }
}
