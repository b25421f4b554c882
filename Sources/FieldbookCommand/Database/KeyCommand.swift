import ArgumentParser
import Fieldbook
import FieldShell

/// `fieldbook db key`
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Encrypts a database, gives it another key, or decrypts it.",
        discussion: """
            All of it is written again, which takes as much room for the time as the folder has. No other program may have \
            it open. Without its key no one can read an encrypted database: keep the key in a second place, too.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("A file with the new key, as that of --key-file.", valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Leave the database plain.")
    var decrypt = false

    func validate() throws {
        guard (newKeyFile != nil) != decrypt else { throw ValidationError("Give --new-key-file or --decrypt.") }
    }

    func run() throws {
        let key = try newKeyFile.map { try KeyFile.read($0) }
        try database.use { database in
            try database.changeEncryptionKey(key)
            let keyFile = try database.path.flatMap { try Database.attachmentProtection(ofFolder: $0) } == .keyFile
            if key != nil, keyFile {
                StandardOutput.message(
                    "The attachments stay sealed with the key file in the folder: a copy of the whole folder opens them."
                )
            }
        }
        StandardOutput.line(key == nil ? "The database is plain." : "The database is encrypted.")
    }
}
