import DocumentValues

/// The users and roles whose rights differ between a restored database and the one that was served before. An older database
/// gives users the rights back that they have lost since.
package enum UserDifference {
    /// One line for each user, then for each role, in the order of their names: `mara: may sign in again; has the password
    /// of the backup`, `the role district-harbour: has the channels of the backup`.
    ///
    /// - Parameters:
    ///   - old: the folder of the database that was served before.
    ///   - new: the folder of the restored database.
    /// - Throws: `StorageFailure` for a file that cannot be read.
    package static func lines(from old: String, to new: String) throws -> [String] {
        try lines(from: old, to: new, roles: false) + lines(from: old, to: new, roles: true)
    }

    private static func lines(from old: String, to new: String, roles: Bool) throws -> [String] {
        let (before, after) = (try principals(in: old, roles: roles), try principals(in: new, roles: roles))
        return Set(before.keys).union(after.keys).sorted().compactMap { name in
            let changes = changes(from: before[name], to: after[name])
            return changes.isEmpty ? nil : "\(roles ? "the role " : "")\(name): \(changes.joined(separator: "; "))"
        }
    }

    private static func principals(in folder: String, roles: Bool) throws -> [Name: StoredPrincipal] {
        try StorageEngine.standard.file("\(folder)/\(DatabaseParts.fileName)").principals(roles: roles)
    }

    private static func changes(from old: StoredPrincipal?, to new: StoredPrincipal?) -> [String] {
        guard let new else { return old == nil ? [] : ["was made after the backup, and is gone"] }
        guard let old else { return ["was deleted after the backup, and exists again"] }
        var changes: [String] = []
        if old.isDisabled != new.isDisabled { changes.append(new.isDisabled ? "may not sign in" : "may sign in again") }
        if old.password != new.password { changes.append("has the password of the backup") }
        if old.roles != new.roles { changes.append("has \(list(new.roles)) instead of \(list(old.roles))") }
        if old.defaultChannels != new.defaultChannels || old.channels != new.channels {
            changes.append("has the channels of the backup")
        }
        return changes
    }

    private static func list(_ roles: Set<Name>) -> String {
        roles.isEmpty ? "no role" : roles.sorted().map(\.text).joined(separator: ", ")
    }
}
