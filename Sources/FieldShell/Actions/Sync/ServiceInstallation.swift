import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// Has systemd run the sync service of a folder.
struct ServiceInstallation {
    let session: ShellSession
    let unit: ServiceUnit

    func run(startsNothing: Bool) throws -> Done {
        try check()
        let file = unit.file(session.environment.variables)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(unit.text.utf8).write(to: file, options: .atomic)
        let object: JSONObject = ["unit": .string(file.path), "started": .bool(!startsNothing)]
        if startsNothing {
            return Done("Wrote \(file.path).\nStart it with: \(startCommand)", object: object)
        }
        try start(file)
        return Done(
            """
            The sync service runs, and starts whenever you log in; to have it run without: loginctl enable-linger
            Its state: fieldbook status
            """, object: object)
    }

    /// Checks all preconditions of the service while the user is there to mend them.
    private func check() throws {
        _ = try session.settings()
        if unit.passphraseFile == nil, try FieldDatabase.needsPassphrase(session.folder) {
            throw SecretError(
                "The service cannot ask you for the passphrase: write it into a file that only you can read, and "
                    + "name that by --passphrase-file FILE. Anybody who has the file can open your photos.")
        }
        _ = try session.field()
        if let file = unit.passwordFile { _ = try SecretSource(dialogue: session.dialogue).read(file: file) }
    }

    private var startCommand: String {
        "systemctl --user enable --now \(Self.shellArgument(unit.name))"
    }

    /// Other folders' names may contain backslashes.
    private static func shellArgument(_ text: String) -> String { text.contains("\\") ? "'\(text)'" : text }

    private func start(_ file: URL) throws {
        do {
            guard let systemd = UserSystemd(session.environment.variables) else {
                throw SystemdError("There is no systemctl here.")
            }
            try systemd.perform(["daemon-reload"])
            try systemd.perform(["enable", unit.name])
            // Not only started: the one that runs may be of an earlier unit.
            try systemd.perform(["restart", unit.name])
        } catch let error as SystemdError {
            throw SystemdError(
                """
                Wrote \(file.path), but systemd has not started it: \(ErrorText.sentence(error.description))
                Once systemd runs for you, as it does after logging in: \(startCommand)
                Without systemd, in a window of its own: fieldbook sync --continuous
                """)
        }
    }
}
