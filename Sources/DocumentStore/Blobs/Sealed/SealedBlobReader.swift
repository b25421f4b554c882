import DocumentValues
import SodiumCrypto
import Synchronization

/// Opens a sealed blob while it is read, a chunk at a time.
final class SealedBlobReader: BlobReader {
    private struct State: ~Copyable {
        var opener: StreamOpener
        /// Opened bytes that are not read yet.
        var pending: ArraySlice<UInt8> = []
    }

    let length: UInt64
    private let file: BlobFile
    private let damage: StoreError
    private let state: Mutex<State>

    /// - Parameter damage: the error for a file that is not whole.
    init(_ file: BlobFile, name: String, keys: KeyRing, damage: StoreError) throws {
        self.file = file
        self.damage = damage
        let header = try file.read(upTo: SealedFormat.headerLength)
        guard header.starts(with: SealedFormat.mark), header.count == SealedFormat.headerLength,
            let length = SealedFormat.plainLength(file.length)
        else { throw damage }
        self.length = length
        let wrapped = Array(header[SealedFormat.mark.count..<SealedFormat.prefixLength])
        do throws(CryptoError) {
            let key = try keys.wrapping.unwrap(wrapped, context: Array(name.utf8))
            let opener = try StreamOpener(key: key, header: Array(header[SealedFormat.prefixLength...]))
            state = Mutex(State(opener: opener))
        } catch { throw damage }
    }

    func read(upTo count: Int) throws -> [UInt8]? {
        try state.withLock { state in
            if state.pending.isEmpty { state.pending = try nextChunk(&state.opener) }
            guard !state.pending.isEmpty else { return nil }
            let part = state.pending.prefix(count)
            state.pending = state.pending.dropFirst(part.count)
            return Array(part)
        }
    }

    /// Empty at the end, which is only reached once the final chunk has been opened.
    private func nextChunk(_ opener: inout StreamOpener) throws -> ArraySlice<UInt8> {
        let sealed = try file.read(upTo: SealedFormat.sealedChunk)
        if sealed.isEmpty, opener.isFinished { return [] }
        do throws(CryptoError) { return try opener.open(sealed)[...] } catch { throw damage }
    }

    func close() { file.close() }
}
