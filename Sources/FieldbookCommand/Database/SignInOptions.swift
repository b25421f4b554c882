import ArgumentParser
import Fieldbook

/// Who signs in at the gateway.
struct SignInOptions: ParsableArguments {
    @Option(help: "The user's name.")
    var user: String?

    @Option(help: "A file that holds the password.")
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "A session at the gateway. Others on this machine can see it while the command runs; see --session-file.",
            valueName: "id"))
    var session: String?

    @Option(help: "A file that holds a session at the gateway.")
    var sessionFile: String?

    func validate() throws {
        guard (user == nil) == (passwordFile == nil) else {
            throw ValidationError("--user and --password-file go together.")
        }
        guard [user, session, sessionFile].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("Give one of --user, --session and --session-file.")
        }
    }

    var isGiven: Bool { user != nil || session != nil || sessionFile != nil }

    func authenticator() throws -> (any Authenticator)? {
        if let session { return SessionAuthenticator(sessionID: session) }
        if let sessionFile {
            return SessionAuthenticator(sessionID: try SecretFile.read(sessionFile, what: "session"))
        }
        guard let user, let passwordFile else { return nil }
        return BasicAuthenticator(username: user, password: try SecretFile.read(passwordFile, what: "password"))
    }
}
