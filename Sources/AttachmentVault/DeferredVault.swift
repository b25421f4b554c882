import DocumentStore
import Foundation
import SodiumCrypto
import Synchronization

/// A vault from the opening of its folder to the first use of its key.
final class DeferredVault: Sendable {
    private enum State {
        case sealed(passphrase: String)
        case open(SealedBlobStorage)
        /// The passphrase is wrong. It is not tried again: each time takes half a second.
        case refused(StoreError)
        /// The passphrase is not known.
        case locked
    }

    private let folder: URL
    private let strength: PasswordStrength
    private let state: Mutex<State>

    init(folder: URL, passphrase: String?, strength: PasswordStrength) {
        self.folder = folder
        self.strength = strength
        state = Mutex(passphrase.map { State.sealed(passphrase: $0) } ?? .locked)
    }

    var access: BlobAccess {
        state.withLock { state in
            switch state {
            case .sealed: .onRequest
            case .open: .open
            case .refused, .locked: .locked
            }
        }
    }

    /// Threads that need the key at the same time wait for the one that computes it.
    ///
    /// - Throws: `.wrongPassphrase` where the passphrase is wrong or not known; the errors of reading the key's file.
    func opened() throws -> SealedBlobStorage {
        try state.withLock { state in
            switch state {
            case .open(let storage): return storage
            case .refused(let error): throw error
            case .locked: throw Self.locked(folder)
            case .sealed(let passphrase):
                do {
                    let storage = try unseal(passphrase)
                    state = .open(storage)
                    return storage
                } catch let error as StoreError where error.code == .wrongPassphrase {
                    state = .refused(error)
                    throw error
                }
            }
        }
    }

    /// The folder had a key when it was opened. A new one in its stead would make all attachments unreadable for ever, so a
    /// missing one is an error, as if rows were sealed with it.
    private func unseal(_ passphrase: String) throws -> SealedBlobStorage {
        let key = try VaultFiles(folder, strength: strength).open(with: .passphrase(passphrase), hasSealedRows: true)
        return SealedBlobStorage(folder: folder, databaseKey: key, kind: .vault)
    }

    private static func locked(_ folder: URL) -> StoreError {
        StoreError(
            .wrongPassphrase, message: "The attachments of this folder are locked.", context: ["path": folder.path],
            hint: "Open the folder with its passphrase.")
    }
}
