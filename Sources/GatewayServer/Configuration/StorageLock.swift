import GatewayCore
import SQLiteStorage

extension FileLock {
    /// Keeps a second gateway, and a restoration, away from a storage folder for as long as it is held.
    static func take(storage path: String) throws(ConfigurationError) -> FileLock {
        let lock: FileLock?
        do throws(FileLockError) { lock = try take(".lock", in: path) } catch {
            throw switch error.step {
            case .open: ConfigurationError(path, problem: "cannot be written: \(error.reason)")
            case .lock: ConfigurationError(path, problem: "cannot be locked: \(error.reason)")
            }
        }
        guard let lock else {
            throw ConfigurationError(
                path, problem: "is in use by a gateway that is running",
                hint: "Stop it first, or use another storage.path")
        }
        return lock
    }

    /// A lock file of a storage folder. A file that a command of root makes is given to the gateway's account, like the
    /// others there.
    static func take(
        _ name: String, in storage: String, timeout: Duration = .zero
    ) throws(FileLockError) -> FileLock? {
        let lock = try take("\(storage)/\(name)", mode: .exclusive, timeout: timeout)
        FileOwner.hand("\(storage)/\(name)", toOwnerOf: storage)
        return lock
    }
}
