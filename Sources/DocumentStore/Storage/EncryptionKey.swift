import Foundation
import SealedSQLite
import SodiumCrypto

/// What opens an encrypted database. Without it no one can read the documents, not even their owner.
public enum EncryptionKey: Sendable {
    /// A password of any length but 0. A key is made of it by Argon2id, which takes about half a second and 256 MB.
    ///
    /// It is compared by the bytes of its UTF-8: "é" as one scalar, and as "e" with an accent, are two passwords. Bring those
    /// that are typed on several systems into one form first, as by `precomposedStringWithCanonicalMapping`.
    case password(String)
    /// A key of 32 random bytes.
    case key(Data)
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the password or the key: descriptions end up in logs.
    public var description: String {
        switch self {
        case .password: "password"
        case .key: "key"
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Without members: a dump must not have the password or the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension EncryptionKey {
    /// - Throws: `.invalidParameter` for an empty password, and for a key that does not have 32 bytes.
    var secret: SealingSecret {
        get throws {
            switch self {
            case .password(let password):
                guard !password.isEmpty else {
                    throw StoreError(.invalidParameter, message: "The password of a database must not be empty.")
                }
                return .password(password)
            case .key(let data):
                guard data.count == SecretKey.length else {
                    throw StoreError(
                        .invalidParameter, message: "The key of a database has \(SecretKey.length) bytes.",
                        context: ["bytes": "\(data.count)"])
                }
                var bytes = Array(data)
                defer { wipe(&bytes) }
                return .key(try SecretKey(bytes: bytes))
            }
        }
    }
}
