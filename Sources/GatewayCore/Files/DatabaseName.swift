import DocumentValues

/// The names that a database may have. Each is the name of its folder, too.
package enum DatabaseName {
    /// The file in which the gateway keeps a secret for its own commands, beside the databases' folders.
    package static let localAdministratorFile = "local-administrator"

    /// Names beside the databases' folders that a database could have.
    static let reserved: Set<Name> = [Name(localAdministratorFile), Name(DeletedDatabases.folderName)]

    /// These, and a folder that the file system of a disk has by itself, if the storage is a whole disk.
    static let foreign = reserved.union([Name("lost+found")])

    /// Lower-case letters, digits and `_ $ ( ) + -`, beginning with a letter: also a safe name of a folder.
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, (0x61...0x7A).contains(first), name.utf8.count <= 200 else { return false }
        return name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "_$()+-".utf8.contains(byte)
        }
    }
}
