import DocumentValues
import Synchronization

/// The users' shares of the disk.
extension DocumentService {
    /// Reserves the room on the disk for a write.
    ///
    /// - Parameters:
    ///   - growth: bytes; a write with 0 is never refused, so that users can make room.
    ///   - staged: bytes of the transaction's attachments that are on the disk already.
    ///   - free: `freeSpace(besides:)`, which asks the system: once for the documents of a transaction, as none of them is on
    ///     the disk yet.
    ///   - time: in seconds; the same for `giveBack`.
    func takeVolume(_ growth: Int, of user: Name, staged: Int, free: Int, at time: Int64) throws(GatewayError) {
        guard takesVolume(growth, of: user, staged: staged, free: free, at: time) else {
            throw noRoom(otherwise: .volumeIsUsedUp)
        }
    }

    /// The same for all documents of a transaction together, which have room if and only if each of them has it in its turn.
    ///
    /// - Returns: whether the room is reserved.
    func takesVolume(_ growth: Int, of user: Name, staged: Int, free: Int, at time: Int64) -> Bool {
        guard growth > 0 else { return true }
        return volume.withLock { $0.take(growth, of: user, staged: staged, free: free, at: time) }
    }

    /// Refuses a write early if there will be no room after its attachments are received: otherwise a client that tries
    /// again would send them each time.
    ///
    /// - Parameter expected: bytes of these attachments, according to the client.
    func checkRoom(
        for document: IncomingDocument, expecting expected: Int, in collection: CollectionName, as requester: Requester
    ) async throws(GatewayError) {
        // Checks the upper bound first: it is rarely too much, and then the present document need not be read.
        guard let user = requester.userName, !hasRoom(for: expected + document.body.count, of: user) else { return }
        let planned: WritePlan
        do {
            planned = try await plan(document, in: self.collection(collection), as: requester)
        } catch {
            // Other errors are reported when it is written.
            return
        }
        guard hasRoom(for: planned.growth(expecting: expected), of: user) else {
            throw noRoom(otherwise: .volumeIsUsedUp)
        }
    }

    /// Whether writes were refused lately since the disk is full, or the next one will be.
    var isDiskFull: Bool { store.disk.isFull || hasNoRoom }

    private var hasNoRoom: Bool { (environment.freeSpace(store.folder) ?? .max) < GatewayLimits.spareSpace / 2 }

    /// Whether there is room for all replaced revisions. They count in no user's share, and each edit of a large document
    /// leaves one.
    var hasRoomForReplaced: Bool { (environment.freeSpace(store.folder) ?? .max) > GatewayLimits.oldRevisions }

    /// A full disk is not the user's fault, and ends as soon as room is made, so it has an error of its own. If there is room
    /// again by now, that error does not apply.
    private func noRoom(otherwise error: GatewayError) -> GatewayError {
        guard hasNoRoom else { return error }
        store.disk.note(GatewayError.diskFull)
        return .diskFull
    }

    /// The free space without the attachments that other users are sending: they do not count on this user.
    func freeSpace(besides user: Name) -> Int {
        let others = environment.incoming.taken(besides: incomingAccount(of: user))
        let left = environment.freeSpace(store.folder) ?? .max
        return left < .max - others ? left + others : .max
    }

    private func hasRoom(for growth: Int, of user: Name) -> Bool {
        guard growth > 0 else { return true }
        let (free, time) = (freeSpace(besides: user), now)
        return volume.withLock { $0.admits(growth, of: user, free: free, at: time) }
    }

    /// Refuses an attachment before it is received, by the length that its client sends. One that is held in memory is
    /// checked when it is stored.
    ///
    /// - Parameter user: `nil` for administrators, who are not counted.
    package func checkRoom(forAttachmentOf length: Int, by user: Name?) throws(GatewayError) {
        if length > GatewayLimits.attachmentInMemory { try checkRoom(for: length, by: user) }
    }

    /// Attachments that are being received are on the disk as long as the client takes, perhaps for hours, and count like
    /// data that the user has stored.
    func checkRoom(for bytes: Int, by user: Name?) throws(GatewayError) {
        guard let user, let free = environment.freeSpace(store.folder) else { return }
        let incoming = environment.incoming.taken(by: incomingAccount(of: user))
        let time = environment.now()
        let isAdmitted = volume.withLock { $0.admits(bytes, of: user, beside: incoming, free: free, at: time) }
        guard isAdmitted else { throw noRoom(otherwise: .uploadsUseTheDiskUp) }
    }

    /// The account of an attachment while it is received; all administrators share one.
    func incomingAccount(of user: Name?) -> Name { Name("\(store.folder)/\(user?.text ?? "")") }

    /// Gives back the room of writes that were not stored.
    func giveBackVolume(_ growth: Int, of user: Name, at time: Int64) {
        guard growth > 0 else { return }
        volume.withLock { $0.note(-growth, of: user, at: time) }
    }
}
