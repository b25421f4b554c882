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
        case .failed(let error): self = .failed(SyncFailure(error))
        }
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
        if let error = error as? StoreError {
            self.init(error)
        } else {
            self.init(.liteCore, code: CBLError.unexpectedError, message: "\(error)")
        }
    }

    /// `ENOSPC`
    private static let noSpace = 28
}
