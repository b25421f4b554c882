import DocumentValues
import SodiumCrypto
import Synchronization

/// Seals a blob while it is written; a chunk at a time is in memory, whatever its length.
final class SealedBlobWriter: BlobWriter {
    private struct State: ~Copyable {
        var sealer: StreamSealer
        var digest = BlobDigestBuilder()
        /// Less than a chunk, or a whole one that may be the last.
        var pending: [UInt8] = []
    }

    private let folder: BlobFolder
    private let keys: KeyRing
    private let file: BlobFile
    private let key: SecretKey
    private let state: Mutex<State>

    init(folder: BlobFolder, keys: KeyRing) throws {
        self.folder = folder
        self.keys = keys
        file = try folder.newFile()
        key = SecretKey()
        let sealer = StreamSealer(key: key)
        // The bytes for the key stay empty until the blob is whole: so the remains of a crash are unreadable.
        try file.write([UInt8](repeating: 0, count: SealedFormat.prefixLength) + sealer.header)
        state = Mutex(State(sealer: sealer))
    }

    func write(_ bytes: some Swift.Collection<UInt8>) throws {
        try state.withLock { state in
            state.digest.update(bytes)
            var rest = bytes[...]
            while !rest.isEmpty {
                if state.pending.count == CryptoLimits.chunk { try seal(&state, isLast: false) }
                let part = rest.prefix(CryptoLimits.chunk - state.pending.count)
                state.pending.append(contentsOf: part)
                rest = rest.dropFirst(part.count)
            }
        }
    }

    private func seal(_ state: inout State, isLast: Bool) throws {
        try file.write(state.sealer.seal(state.pending[...], isLast: isLast))
        state.pending.removeAll(keepingCapacity: true)
    }

    func finish(expecting expected: BlobDigest?) throws -> BlobMetadata {
        let (digest, length) = try state.withLock { state in
            let digest = state.digest.finish()
            guard expected == nil || expected == digest else { throw StoreError.wrongBlob(digest, expected: expected) }
            try seal(&state, isLast: true)
            wipe(&state.pending)
            return (digest, state.digest.length)
        }
        let name = keys.name(of: digest)
        // The name is part of the sealed data, so that files cannot be exchanged.
        let wrapped = keys.wrapping.wrap(key, context: Array(name.utf8))
        try file.overwrite(at: 0, SealedFormat.mark + wrapped)
        try folder.install(file, as: name)
        return BlobMetadata(digest: digest, length: length)
    }

    func cancel() { file.discard() }
}
