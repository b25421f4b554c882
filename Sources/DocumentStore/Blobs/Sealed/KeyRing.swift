import DocumentValues
import SodiumCrypto

/// Keys for each purpose, derived from the database key.
struct KeyRing: Sendable {
    /// Seals the keys of single blobs.
    let wrapping: SecretKey
    /// Turns digests into file names.
    private let naming: SecretKey
    /// Seals rows of the database.
    let rows: SecretKey

    init(_ databaseKey: SecretKey) {
        wrapping = databaseKey.subkey(purpose: "blobkeys")
        naming = databaseKey.subkey(purpose: "blobname")
        rows = databaseKey.subkey(purpose: "rowseals")
    }

    /// A reader of the folder who knows a content cannot find out from the names whether it is here.
    func name(of digest: BlobDigest) -> String { Hexadecimal.encode(naming.keyedHash(of: digest.bytes)) }
}
