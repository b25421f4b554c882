import AccessControl
import DocumentValues

/// Documents, their revisions, local documents, and what sync functions say of them.
extension GatewayError {
    package static let missing = GatewayError(404, reason: "missing")
    package static let deleted = GatewayError(404, reason: "deleted")
    package static let forbidden = GatewayError(403, reason: "forbidden")
    /// For clients without credentials, if `unsupported.guest_read_only` is set.
    package static let readOnly = GatewayError(403, reason: "Anonymous access is read-only")
    package static let documentExists = GatewayError(409, reason: "Document exists")
    package static let revisionConflict = GatewayError(409, reason: "Document revision conflict")
    package static let localConflict = GatewayError(409, reason: "Document update conflict")
    package static let tooManyConflicts = GatewayError(
        409,
        reason: "The document has \(GatewayLimits.liveLeaves) conflicting revisions; some have to be resolved first")
    package static let tooMuchInConflict = GatewayError(
        409,
        reason:
            "The document's conflicting revisions have more than \(GatewayLimits.bytesOfLeaves) bytes together; some "
            + "have to be resolved first")
    /// The document was changed by others each time before it could be stored.
    package static let tooBusy = GatewayError(503, reason: "The document is being changed by many at once; try again")
    /// The configuration was changed each time before documents decided by it could be stored.
    package static let configurationChanges = GatewayError(
        503, reason: "The database's configuration is being changed again and again; try again")
    package static let invalidDocumentID = GatewayError(400, reason: "Invalid doc ID")
    package static let otherDocumentID = GatewayError(
        400, reason: "The document ID provided in the body does not match the document ID in the path")
    package static let documentTooLarge = GatewayError(413, reason: "Document too large!")
    package static let tooLargeWithAttachments = GatewayError(
        413, reason: "Document too large with the names of its attachments")
    package static let tooManyValues = GatewayError(
        413, reason: "Document has more than \(GatewayLimits.documentValues) members and elements")
    package static func internalMember(_ name: String) -> GatewayError {
        GatewayError(400, reason: "document-top level property '\(name)' is a reserved internal property")
    }
    package static func forbiddenMember(_ name: String) -> GatewayError {
        GatewayError(400, reason: "user defined top-level property '\(name)' is not allowed in document body")
    }
    package static let syncMember = GatewayError(
        400, reason: "user defined top-level properties that start with '_sync_' are not allowed in document body")
    package static let invalidRevision = GatewayError(400, reason: "Invalid revision ID")
    package static let revisionOfDeletion = GatewayError(
        400, reason: "Invalid revision ID: it is the one of a deletion, and the document is not deleted")
    package static func digestTooLong(of revision: RevisionID) -> GatewayError {
        GatewayError(
            400,
            reason: "Invalid revision ID: the digest of \(revision.description.prefix(24))… is too long; it may have "
                + "\(RevisionLimits.digestBytes) bytes")
    }
    package static func noRoomAfter(_ revision: RevisionID, limit: UInt32) -> GatewayError {
        GatewayError(
            400,
            reason: "Invalid revision ID: the generation of \(revision) leaves no room for later revisions; the "
                + "document accepts generations up to \(limit)")
    }
    package static let revisionsDiffer = GatewayError(400, reason: "Revision IDs provided do not match")
    package static let badRevisions = GatewayError(400, reason: "Bad _revisions")
    package static func historyTooLong(_ count: Int) -> GatewayError {
        GatewayError(413, reason: "The revision names \(count) ancestors; it may name \(GatewayLimits.history)")
    }
    package static func wrongAncestor(_ ancestor: RevisionID, of revision: RevisionID) -> GatewayError {
        GatewayError(400, reason: "Revision \(revision) cannot descend from \(ancestor), whose generation is not lower")
    }
    package static let inaccessibleRevision = GatewayError(404, reason: "Document revision is not accessible")
    package static func storedAlready(_ revision: RevisionID) -> GatewayError {
        GatewayError(
            409, reason: "The revision \(revision) is stored already; leave out _rev to try a change of the document")
    }
    package static func invalidExpiry(_ problem: String) -> GatewayError {
        GatewayError(400, reason: "Invalid expiry: \(problem)")
    }
    package static let localDocumentsTooLarge = GatewayError(
        413,
        reason:
            "Too much in local documents: those of one user may have \(GatewayLimits.localBytesOfUser) bytes together")
    package static let noLocalRevision = GatewayError(404, reason: "No previous revision to replace")
    package static func unusableSyncFunction(_ problem: String) -> GatewayError {
        GatewayError(400, reason: "The sync function cannot be run: \(problem)")
    }
    package static func tooManyChannels(_ count: Int) -> GatewayError {
        GatewayError(
            413,
            reason:
                "The sync function gives the document \(count) channels; \(AccessLimits.channelsPerDocument) are allowed"
        )
    }
    package static func tooManyChannelsOverTime(_ count: Int) -> GatewayError {
        GatewayError(
            413,
            reason: "The document would have been in \(count) channels; \(AccessLimits.channelsOverTime) are allowed")
    }
}
