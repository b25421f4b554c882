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
        let free = freeSpace(besides: user)
        let isTaken = volume.withLock { $0.take(growth, of: user, staged: staged, free: free, at: time) }
        guard isTaken else { throw noRoom(otherwise: .volumeIsUsedUp) }
    }

    /// Refuses a write for which there will be no room when its attachments have come: a client that tries again would
    /// bring them each time.
    ///
    /// - Parameter expected: bytes of these attachments, as the client says.
    func checkRoom(
        for write: DocumentWrite, expecting expected: Int, in collection: CollectionName, as requester: Requester
    ) async throws(GatewayError) {
        // By all that it may be. Hardly ever is it too much, and what the document has now need not be read.
        guard let user = requester.userName, !hasRoom(for: expected + write.content.size, of: user) else { return }
        let planned: WritePlan
        do {
            planned = try await plan(SyncFunctionTrial(write, as: requester), in: self.collection(collection))
        } catch {
            // What else is wrong with it is reported when it is written.
            return
        }
        guard hasRoom(for: planned.growth(expecting: expected), of: user) else {
            throw noRoom(otherwise: .volumeIsUsedUp)
        }
    }

    /// Whether writes were refused lately since the disk is full, or the next one will be.
    var isDiskFull: Bool { store.disk.isFull || hasNoRoom }

    private var hasNoRoom: Bool { (environment.freeSpace(store.folder) ?? .max) < GatewayLimits.spareSpace / 2 }

    /// Whether replaced revisions may take as much as they may. Nobody's share counts them: each edit of a large document
    /// leaves one.
    var hasRoomForReplaced: Bool { (environment.freeSpace(store.folder) ?? .max) > GatewayLimits.oldRevisions }

    /// That the disk is full is nothing that the user has done, and is over as soon as somebody makes room, which may be before
    /// tomorrow. Where there is room again, that it was full a moment ago is no reason.
    private func noRoom(otherwise error: GatewayError) -> GatewayError {
        guard hasNoRoom else { return error }
        store.disk.note(GatewayError.diskFull)
        return .diskFull
    }

    /// What others are bringing is nothing that this user has stored.
    private func freeSpace(besides user: Name) -> Int {
        let others = environment.incoming.taken(besides: incomingAccount(of: user))
        let left = environment.freeSpace(store.folder) ?? .max
        return left < .max - others ? left + others : .max
    }

    private func hasRoom(for growth: Int, of user: Name) -> Bool {
        guard growth > 0 else { return true }
        let (free, time) = (freeSpace(besides: user), now)
        return volume.withLock { $0.admits(growth, of: user, free: free, at: time) }
    }

    /// Refuses an attachment before it comes, by the length that its client gives. One that is held in memory is looked at when
    /// it is stored.
    ///
    /// - Parameter user: `nil` for administrators, who are not counted.
    package func checkRoom(forAttachmentOf length: Int, by user: Name?) throws(GatewayError) {
        if length > GatewayLimits.attachmentInMemory { try checkRoom(for: length, by: user) }
    }

    /// What is on its way in lies on the disk for as long as its client takes, which may be hours, and counts with what the
    /// user has stored.
    func checkRoom(for bytes: Int, by user: Name?) throws(GatewayError) {
        guard let user, let free = environment.freeSpace(store.folder) else { return }
        let incoming = environment.incoming.taken(by: incomingAccount(of: user))
        let time = environment.now()
        let isAdmitted = volume.withLock { $0.admits(bytes, of: user, beside: incoming, free: free, at: time) }
        guard isAdmitted else { throw noRoom(otherwise: .uploadsUseTheDiskUp) }
    }

    /// Whose an attachment is while it comes in; all administrators are one.
    func incomingAccount(of user: Name?) -> Name { Name("\(store.folder)/\(user?.text ?? "")") }

    /// Of writes that were not stored.
    func giveBackVolume(_ growth: Int, of user: Name, at time: Int64) {
        guard growth > 0 else { return }
        volume.withLock { $0.note(-growth, of: user, at: time) }
    }
}

extension DocumentWrite.Content {
    /// Bytes of the body.
    fileprivate var size: Int {
        switch self {
        case .object(let bytes): bytes.count
        case .parts(let body, _, _): body.count
        }
    }
}
