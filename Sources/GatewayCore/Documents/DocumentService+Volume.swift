import DocumentValues
import Synchronization

/// What users leave others of the disk.
extension DocumentService {
    /// Sets aside what a write makes the disk fuller by.
    ///
    /// - Parameters:
    ///   - growth: bytes; where it is 0, nobody is kept from writing, least of all from making room.
    ///   - staged: bytes of the transaction's attachments that lie on the disk already.
    ///   - time: in seconds; the same for `giveBack`.
    func takeVolume(_ growth: Int, of user: Name, staged: Int, at time: Int64) throws(GatewayError) {
        guard growth > 0 else { return }
        let free = environment.freeSpace(store.folder) ?? .max
        let isTaken = volume.withLock { $0.take(growth, of: user, staged: staged, free: free, at: time) }
        guard isTaken else { throw .volumeIsUsedUp }
    }

    /// Of writes that were not stored.
    func giveBackVolume(_ growth: Int, of user: Name, at time: Int64) {
        guard growth > 0 else { return }
        volume.withLock { $0.note(-growth, of: user, at: time) }
    }
}
