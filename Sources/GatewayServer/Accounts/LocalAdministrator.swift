import DocumentValues
import Foundation
import GatewayCore
import Glibc
import SodiumCrypto

/// Lets the gateway's own commands in without a password.
///
/// While the gateway runs, the storage folder has a secret, which only the gateway's account can read. An account that
/// can read it can read the databases beside it, too, so the secret grants nothing more. Each start makes a new one.
enum LocalAdministrator {
    private static func file(storage path: String) -> String { path + "/" + DatabaseName.localAdministratorFile }

    static func make(storage path: String) throws -> String {
        let token = Hexadecimal.encode(SecureRandom.bytes(32))
        let file = file(storage: path)
        // A file or a link, never a folder.
        guard unlink(file) == 0 || errno == ENOENT else {
            throw ConfigurationError(
                file, problem: "cannot be replaced: \(String(cString: strerror(errno)))",
                hint: "The gateway keeps a file of its own under this name; move the present file away")
        }
        do { try NewFile.write(Array(token.utf8), to: file, mode: 0o600) } catch {
            throw ConfigurationError(file, problem: "cannot be written", hint: "Check who owns the folder")
        }
        return token
    }

    static func token(storage path: String) -> String? {
        try? String(contentsOfFile: file(storage: path), encoding: .utf8)
    }
}
