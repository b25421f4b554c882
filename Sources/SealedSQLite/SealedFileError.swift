/// Why a sealed database cannot be opened or made.
package struct SealedFileError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// The file is a database without encryption.
        case notSealed
        /// The file is neither a sealed database nor another one of SQLite's.
        case notADatabase
        /// A newer version of this module has made the file.
        case newerFormat
        /// Another password or key opens it.
        case wrongKey
        /// It is opened by a key of 32 bytes, not by a password.
        case needsKey
        /// It is opened by a password, not by a key.
        case needsPassword
        /// There is not enough memory to make a key of the password.
        case outOfMemory
        /// A call of the system has failed, with this `errno`.
        case system(Int32)
        /// SQLite's file system has failed, with this number of SQLite's.
        case sqlite(Int32)
    }

    package let code: Code

    package init(_ code: Code) { self.code = code }
}
