import Foundation
import Logging
import SodiumCrypto
import SyncFunction

/// The dependencies of databases on the program around them.
package struct DatabaseEnvironment: Sendable {
    var syncFunctions: any SyncFunctionRunning
    var logger: Logger
    var passwordStrength: PasswordStrength
    /// Seconds since 1970.
    var now: @Sendable () -> Int64
    /// Gets each refusal, with the name of its database.
    var onRefusal: @Sendable (String, RefusedDocument) -> Void
    /// Bytes that the disk of a folder has left; `nil` where the system does not say.
    var freeSpace: @Sendable (_ folder: String) -> Int? = { StorageEngine.freeSpace(at: $0) }
    /// Stores the databases.
    var storage = StorageEngine.standard
    /// What lies on the disk of attachments on their way in, by database and user.
    let incoming = AccountShares(total: .max, share: .max)
    /// Shared by all databases, because they share the cores.
    var longWork = LongWork()
    let jobs = BackgroundJobs()
    let expiries = ExpiryAlarm()
    let shortage = DiskShortage()

    package init(
        syncFunctions: any SyncFunctionRunning, logger: Logger, passwordStrength: PasswordStrength = .interactive,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        onRefusal: @escaping @Sendable (String, RefusedDocument) -> Void = { _, _ in }
    ) {
        self.syncFunctions = syncFunctions
        self.logger = logger
        self.passwordStrength = passwordStrength
        self.now = now
        self.onRefusal = onRefusal
    }
}
