import ArgumentParser
import FieldShell

/// `fieldbook db`: any database folder and any gateway, without the field application's models.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Works on any database folder, for developers and operators.",
        discussion: """
            DIR is a database folder; COLLECTION is scope.collection, _default._default is the default one.
            Attachments are sealed with a key file in the folder, or with the passphrase in the file that \
            FIELDBOOK_PASSPHRASE_FILE names; in a folder that an app has made without sealing them they stay plain files.
            'key' encrypts a whole database, its attachments included. Its key is the password in the file of --key-file or \
            of FIELDBOOK_KEY_FILE; the first 'put', 'pull' or 'sync' with one of them makes an encrypted database.
            """,
        subcommands: [
            PutCommand.self, GetCommand.self, DatabaseListCommand.self, RemoveCommand.self, QueryCommand.self,
            IndexCommand.self, InfoCommand.self, CheckCommand.self, CompactCommand.self, KeyCommand.self,
            PushCommand.self, PullCommand.self, SyncDatabaseCommand.self,
        ])

    /// Without a subcommand it shows its usage, as after any other wrong use.
    func run() async throws {
        StandardOutput.message(FieldbookProgram.helpMessage(for: Self.self))
        throw ExitCode(2)
    }
}
