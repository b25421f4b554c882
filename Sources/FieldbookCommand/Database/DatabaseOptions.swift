import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell
import Foundation

/// The database that a command is about, and where the key of an encrypted one comes from.
struct DatabaseOptions: ParsableArguments {
    @Argument(help: "The database folder.")
    var dir: String

    @Option(
        help: ArgumentHelp(
            "Of an encrypted database: a file whose first line is its password, or 'hex:' and the 64 digits of its key. "
                + "FIELDBOOK_KEY_FILE may name it as well; otherwise the terminal asks.", valueName: "file"))
    var keyFile: String?

    /// - Parameter creates: make the folder if there is none; otherwise that is an error. With a key file it is encrypted.
    func open(creates: Bool) throws -> Database {
        try CommandDatabase.checkIsThere(dir, creates: creates)
        return try CommandDatabase.open(dir, key: try key())
    }

    /// Opens an existing database for `body`, and closes it again, which copies its log into the file.
    func use<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try open(creates: false)
        let value = try body(database)
        try database.close()
        return value
    }

    private func key() throws -> EncryptionKey? {
        let named = keyFile ?? ProcessInfo.processInfo.environment["FIELDBOOK_KEY_FILE"]
        let isEncrypted = try Database.isEncrypted(folder: dir)
        if let named, !named.isEmpty {
            // The variable may be set for other databases.
            guard keyFile != nil || isEncrypted || !Database.exists(folder: dir) else { return nil }
            return try KeyFile.read(named)
        }
        guard isEncrypted else { return nil }
        guard let password = SecretPrompt.read("Password of the database: ") else {
            throw CommandFailure(
                "The database is encrypted.", hint: "Name a file with its key by --key-file or FIELDBOOK_KEY_FILE.")
        }
        return .password(password)
    }
}

/// The password or the key of a database, from a file.
enum KeyFile {
    private static let mark = "hex:"

    static func read(_ path: String) throws -> EncryptionKey {
        let line = try SecretFile.read(path, what: "password, or 'hex:' and the digits of a key")
        guard line.hasPrefix(mark) else { return .password(line) }
        guard let bytes = Hexadecimal.decode(String(line.dropFirst(mark.count))), bytes.count == 32 else {
            throw CommandFailure("The key in \(path) does not have 64 hexadecimal digits.")
        }
        return .key(Data(bytes))
    }
}
