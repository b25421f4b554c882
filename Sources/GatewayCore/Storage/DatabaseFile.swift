import DocumentValues

/// A database of the gateway, examined from outside: a gateway may be using it. Only `endSessions` changes it.
///
/// All of these block the calling thread. They throw a `StorageFailure`; for a full disk, the engine's own error.
protocol DatabaseFile: Sendable {
    func examine(_ check: FileCheck) throws -> FileFinding

    /// Writes one state of the database to a new file.
    func copy(to target: String) throws

    /// All users or all roles, by their names.
    func principals(roles: Bool) throws -> [Name: StoredPrincipal]

    /// Ends all sessions. No other process may use the database.
    func endSessions() throws
}

enum FileCheck: Sendable {
    case everything
    /// All but the indexes.
    case structure
}

struct FileFinding: Sendable {
    enum Problem: Sendable {
        case damaged(String)
        /// A newer version of the gateway has opened it.
        case newer
    }

    /// The first problem that the check found; `nil` if there is none.
    let problem: Problem?
    /// The last sequence that the database holds.
    let sequence: UInt64
}
