import DocumentValues
import FieldModels
import FieldRecords

/// Parses the lines of `login` and `passphrase`.
struct SignInLine {
    let line: ParsedLine

    func login() throws(UsageError) -> LoginRequest {
        if line.flag("--self-signed"), line.option("--pinned-cert") != nil {
            throw UsageError("Use --self-signed or --pinned-cert, not both.")
        }
        return LoginRequest(
            gateway: line.arguments.first, user: line.arguments.dropFirst().first,
            passwordFile: line.option("--password-file"), isSelfSigned: line.flag("--self-signed"),
            pinnedCertificate: line.option("--pinned-cert"), isOffline: line.flag("--offline"))
    }

    func passphrase() throws(UsageError) -> PassphraseChange {
        switch (line.flag("--key-file"), line.option("--new-passphrase-file")) {
        case (true, nil): return .keyFile
        case (false, let file?): return .file(file)
        case (false, nil): return .asked
        case (true, .some): throw UsageError("Use --key-file or --new-passphrase-file, not both.")
        }
    }
}
