import DocumentValues
import Foundation
import SodiumCrypto

/// Lets the gateway's own commands in without a password.
///
/// While it serves, a secret lies in the storage folder, readable by the gateway's account alone. Whoever can read it
/// can read the databases beside it too, so it opens nothing that was closed. Each start makes a new one.
enum LocalAdministrator {
    private static let fileName = "local-administrator"

    static func make(storage path: String) throws -> String {
        let token = Hexadecimal.encode(SecureRandom.bytes(32))
        let file = path + "/" + fileName
        try? FileManager.default.removeItem(atPath: file)
        let isMade = FileManager.default.createFile(
            atPath: file, contents: Data(token.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw ConfigurationError(file, "cannot be written", hint: "Check who owns the folder") }
        return token
    }

    static func token(storage path: String) -> String? {
        try? String(contentsOfFile: path + "/" + fileName, encoding: .utf8)
    }
}
