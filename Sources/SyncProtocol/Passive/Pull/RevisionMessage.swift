import BLIPProtocol
import DocumentValues
import NIOCore

/// The message that sends a loaded revision to the client, or that reports why the revision does not come.
struct RevisionMessage {
    let request: BLIPRequest
    /// Digests of the attachments that the client may request until it has answered.
    private(set) var attachments: [String] = []
    private(set) var isDelta = false

    /// - Parameter collection: the value of the `collection` property.
    init(
        _ loaded: LoadedRevision, for wanted: AnnouncedBatch.Wanted, terms: AnnouncedBatch.Terms, collection: Int?
    ) {
        let builder = Builder(wanted: wanted, terms: terms, collection: collection)
        switch loaded {
        case .found(let revision, let history, let isDeleted, let body, let digests):
            guard var rev = builder.rev(revision, history: history, body: body) else {
                request = builder.noRevision(404, reason: "revision not found")
                return
            }
            rev.isDeleted = isDeleted
            rev.isNoReply = digests.isEmpty
            attachments = digests
            request = rev.request(asGateway: true)
        case .delta(let source, let revision, let history, let body, let digests):
            guard let rev = builder.rev(revision, history: history, body: body, from: source) else {
                request = builder.noRevision(404, reason: "revision not found")
                return
            }
            attachments = digests
            isDelta = true
            request = rev.request(asGateway: true)
        case .removed(let history): request = builder.removal(history).request(asGateway: true)
        case .unavailable(let status, let reason): request = builder.noRevision(status, reason: reason)
        }
    }

    private struct Builder {
        let wanted: AnnouncedBatch.Wanted
        let terms: AnnouncedBatch.Terms
        let collection: Int?

        private var row: ChangeRow { wanted.row }

        /// `nil` if the client does not want a newer revision than the requested one, or if the revision id is too long
        /// for a message.
        ///
        /// - Parameter source: the revision to which the body is a difference.
        func rev(
            _ revision: RevisionID, history: RevisionHistory, body: [UInt8], from source: RevisionID? = nil
        ) -> Rev? {
            let isReplacement = revision.description != row.revision
            guard !isReplacement || terms.acceptsReplacements else { return nil }
            let ids = [revision.description, source?.description].compactMap { $0 }
            guard ids.allSatisfy({ $0.utf8.count <= SyncLimits.revisionBytes }) else { return nil }
            var rev = Rev(
                collection: collection, documentID: row.documentID, revision: revision.description,
                body: ByteBuffer(bytes: body))
            rev.sequence = row.sequence
            rev.deltaSource = source?.description
            rev.replacedRevision = isReplacement ? row.revision : nil
            rev.history = property(history, beside: rev)
            return rev
        }

        func removal(_ history: RevisionHistory) -> Rev {
            var rev = Rev(
                collection: collection, documentID: row.documentID, revision: row.revision,
                body: ByteBuffer(string: #"{"_removed":true}"#))
            rev.sequence = row.sequence
            rev.history = property(history, beside: rev)
            rev.isNoReply = true
            return rev
        }

        func noRevision(_ status: Int, reason: String) -> BLIPRequest {
            NoRev(
                collection: collection, documentID: row.documentID, revision: row.revision, sequence: row.sequence,
                error: status, reason: reason
            ).request
        }

        /// The ancestors up to and including the first one that the client has, at most as many as it wants and as fit.
        private func property(_ history: RevisionHistory, beside rev: Rev) -> String {
            let known = Set(wanted.ancestors)
            let common = history.ancestors.first(where: known.contains)
            return history.property(
                through: common, limit: max(1, terms.maxHistory ?? SyncLimits.maxHistory),
                beside: rev.revision, rev.deltaSource, rev.replacedRevision)
        }
    }
}
