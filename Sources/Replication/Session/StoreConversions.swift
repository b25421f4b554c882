import DocumentStore
import DocumentValues
import SyncProtocol

// The machine knows nothing of the store: these are the same values as the other side's types.

extension PushCandidate {
    init(_ change: LocalChange) {
        self.init(
            sequence: change.sequence, documentID: change.documentID, revision: change.revision,
            remoteRevision: change.remoteRevision, isDeleted: change.isDeleted, bodySize: change.bodySize)
    }

    init(_ revision: LocalRevision) {
        self.init(
            sequence: revision.sequence, documentID: revision.documentID, revision: revision.revision,
            remoteRevision: revision.remoteRevision, isDeleted: revision.isDeleted, bodySize: revision.body.count)
    }
}

extension OutgoingRevision {
    init(_ revision: LocalRevision) {
        self.init(
            sequence: revision.sequence, revision: revision.revision, history: revision.history,
            isDeleted: revision.isDeleted, body: revision.body, hasBlobs: revision.hasBlobs,
            remoteRevision: revision.remoteRevision)
        isKnownToRemote = revision.isKnownToRemote
        isInConflict = revision.isInConflict
        branch = revision.branch
    }
}

extension AcknowledgedRevision {
    init(_ known: KnownRevision) {
        self.init(documentID: known.documentID, revision: known.revision, localRevision: known.localRevision)
    }
}

extension AnnouncedRow {
    init(_ row: AnnouncedRevision) {
        self.init(documentID: row.documentID, revision: row.revision, isDeleted: row.isDeleted)
    }
}

extension PulledRevision {
    init(_ revision: ReceivedRevision) {
        self.init(
            documentID: revision.documentID, revision: revision.revision, history: revision.history,
            isDeleted: revision.isDeleted, body: revision.body)
    }
}

extension RowVerdict {
    init(_ decision: RowDecision) {
        switch decision {
        case .have: self = .have
        case .wanted(let ancestors): self = .wanted(ancestors: ancestors)
        }
    }
}

extension InsertVerdict {
    init(_ outcome: InsertOutcome) {
        switch outcome {
        case .inserted: self = .inserted
        case .alreadyThere: self = .alreadyThere
        case .sameContent: self = .sameContent
        case .conflict: self = .conflict
        case .failed(let error) where error.code == .missingBlob: self = .missingBlob(SyncFailure(error))
        case .failed(let error): self = .failed(SyncFailure(error))
        }
    }
}

extension StoreError {
    /// Trouble of this computer, such as a full disk, and no matter of one document: a session ends with it, and gives nothing
    /// up.
    var isOfThisComputer: Bool {
        [.diskFull, .ioError, .notWritable, .notOpen, .busy, .cannotOpenFile].contains(code)
    }
}

extension SyncFailure {
    init(_ error: StoreError) {
        if error.code == .diskFull {
            self.init(.posix, code: Self.noSpace, message: error.description)
        } else {
            self.init(.liteCore, code: error.code.rawValue, message: error.description)
        }
    }

    /// Any error of the store's, whatever its type.
    init(store error: any Error) {
        if let failure = error as? SyncFailure {
            self = failure
        } else if let error = error as? StoreError {
            self.init(error)
        } else {
            self.init(.liteCore, code: CBLError.unexpectedError, message: "\(error)")
        }
    }

    /// Checkpoints were forgotten while a session was open. It ends, and the next one compares everything.
    static let startsOver = SyncFailure(
        .webSocket, code: 1001,
        message: "Checkpoints were forgotten, for a document that is to be fetched again or with a deleted collection: "
            + "everything is compared again")

    /// `ENOSPC`
    private static let noSpace = 28
}
