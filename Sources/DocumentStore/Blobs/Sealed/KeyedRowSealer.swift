import SodiumCrypto

/// Seals rows with a key.
struct KeyedRowSealer: RowSealer {
    let key: SecretKey

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] { key.seal(plain, context: Array(context.utf8)) }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] {
        do throws(CryptoError) { return try key.open(sealed, context: Array(context.utf8)) } catch {
            throw StoreError(.corruptData, message: "A sealed row cannot be opened: \(error).", underlying: error)
        }
    }
}
