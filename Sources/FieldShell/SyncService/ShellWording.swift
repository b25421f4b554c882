import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// The shell's texts in a sync's report and the service's state.
struct ShellWording: SyncWording {
    let session: ShellSession

    func text(of error: any Error) -> AdvisedText { ErrorText.advised(error) }

    func contested(_ conflict: RecordConflict) throws -> ContestedText {
        let text = try ConflictText(conflict, session: session, readsLog: false)
        return ContestedText(subjects: text.subjects, lines: text.reportLines)
    }
}

/// What the shell knows of the sync service, which is another process, and what that needs of the shell.
extension ShellSession {
    func syncStatus() throws -> SyncStatus {
        try SyncStatus(
            ServiceFolder(of: folder), gateway: try settings().gateway?.absoluteString,
            now: environment.now().secondsSince1970)
    }

    /// The shell's environment for a sync; opens the folder.
    func syncEnvironment() throws -> SyncEnvironment {
        SyncEnvironment(
            field: try field(), wording: ShellWording(session: self), settings: settings, now: environment.now)
    }

    /// - Parameter passwordFile: its path.
    func signInSource(passwordFile: String?) throws -> SignInSource {
        let source = SecretSource(dialogue: dialogue)
        return SignInSource(
            try syncEnvironment(),
            passwordFile: passwordFile.map { path in
                SignInSource.PasswordFile(path: path) { try source.read(file: $0) }
            })
    }
}
