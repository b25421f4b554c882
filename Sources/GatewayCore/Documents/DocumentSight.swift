import AccessControl
import DocumentValues

/// Decides what one reader may see of a document that has been read. Pure.
struct DocumentSight {
    let view: AccessView

    func isVisible(_ stored: StoredDocument) -> Bool { view.sees(stored.channels.current.keys) }

    /// The current revision, even a tombstone; redacted if the reader may not see it.
    func visible(_ stored: StoredDocument) -> DocumentRevision {
        isVisible(stored) ? revision(stored) : redacted(stored.revision, stored: stored, isDeleted: stored.isDeleted)
    }

    /// The current revision, for a reader who has requested the document: 403 if the reader may not see it, 404 if it
    /// is deleted or has never existed.
    func current(_ stored: StoredDocument?) throws(GatewayError) -> DocumentRevision {
        guard let stored else { throw .missing }
        guard isVisible(stored) else { throw .forbidden }
        guard !stored.isDeleted else { throw .deleted }
        return revision(stored)
    }

    func revision(_ stored: StoredDocument) -> DocumentRevision {
        let channels = stored.channels.current.keys
        return DocumentRevision(
            id: stored.id, revision: stored.revision, isDeleted: stored.isDeleted, body: stored.body,
            attachments: stored.attachments, history: stored.tree.history(of: stored.revision),
            sequence: stored.sequence, expires: stored.expires,
            channels: view.seesAll ? Set(channels) : Set(channels.filter(view.channels.contains)))
    }

    func redacted(_ revision: RevisionID, stored: StoredDocument, isDeleted: Bool) -> DocumentRevision {
        DocumentRevision(
            id: stored.id, revision: revision, isDeleted: isDeleted, isRedacted: true,
            body: Array((isDeleted ? "{}" : #"{"_removed":true}"#).utf8),
            history: stored.tree.history(of: revision), sequence: stored.sequence)
    }
}
