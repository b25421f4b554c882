import SQLiteStorage

extension FileLock {
    /// Keeps a second gateway, and a restoration, away from a storage folder for as long as it is held.
    static func take(storage path: String) throws(ConfigurationError) -> FileLock {
        let lock: FileLock?
        do throws(FileLockError) { lock = try take(path + "/.lock", mode: .exclusive) } catch {
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
}
