import Foundation
import SQLiteStorage
import SealedSQLite
import SodiumCrypto

/// How a database is encrypted, or to be encrypted: with which key, if with any.
struct DatabaseSeal: Sendable {
    let key: EncryptionKey?
    /// How much work guessing a new password costs.
    let strength: PasswordStrength

    init(_ key: EncryptionKey?, strength: PasswordStrength) {
        self.key = key
        self.strength = strength
    }

    init(_ configuration: DatabaseConfiguration) {
        self.init(configuration.encryptionKey, strength: configuration.passwordStrength)
    }

    /// Lets SQLite open the database, and makes an encrypted one, without tables, where there is none: SQLite makes plain ones
    /// only. Refuses a file that is certainly damaged, or no database, before SQLite takes it for an empty one.
    ///
    /// - Returns: `nil` if it is not encrypted.
    func openOrMake(_ folder: DatabaseFolder) throws -> KeyedFile? {
        guard let secret = try key?.secret else {
            try folder.checkFile()
            return nil
        }
        let path = folder.database.path
        do {
            let sealing: FileSealing
            if try folder.isNew {
                sealing = try FileSealing(new: secret, strength: strength)
                try SealedDatabaseFile.make(path, sealing: sealing)
            } else {
                sealing = try SealedDatabaseFile.open(path, secret: secret)
                let pages = try SealedDatabaseFile.pageCount(path, sealing: sealing)
                try folder.checkLength(pages: pages ?? 0, ofBytes: sealing.head.pageSize)
            }
            return try KeyedFile(path, sealing: sealing)
        } catch let error as SealedFileError { throw StoreError.sealing(error, path: path) }
    }
}
