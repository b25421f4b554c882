import DocumentValues

extension GatewayDatabaseConfiguration {
    /// How many replaced revisions are kept, and for how long replaced attachments are.
    struct Retention: Sendable, Hashable {
        /// The largest number of revisions in a document's history.
        let revisions: Int
        /// How long the content of an attachment is kept after the current revision has stopped referring to it.
        let replacedAttachmentSeconds: Int64
        let localDocumentSeconds: Int64

        init(_ json: JSONObject, allowsConflicts: Bool) throws(GatewayError) {
            revisions = try Self.revisionLimit(json, allowsConflicts: allowsConflicts)
            let expiry = json["old_rev_expiry_seconds"]?.integerValue ?? GatewayLimits.oldRevisionExpiry
            replacedAttachmentSeconds = min(expiry, GatewayLimits.longestReplacedAttachment)
            localDocumentSeconds =
                json["local_doc_expiry_secs"]?.integerValue ?? GatewayLimits.localDocumentDays * 24 * 3_600
        }

        /// With conflicts, a minimum applies: if the history is too short, a descendant of an old revision becomes a
        /// new branch.
        private static func revisionLimit(_ json: JSONObject, allowsConflicts: Bool) throws(GatewayError) -> Int {
            let usual = allowsConflicts ? GatewayLimits.revisionsWithConflicts : GatewayLimits.revisions
            let limit = json["revs_limit"]?.integerValue ?? Int64(usual)
            let least = allowsConflicts ? GatewayLimits.fewestRevisionsWithConflicts : 1
            guard limit >= least, limit <= 1_000_000 else {
                let rule = allowsConflicts ? "cannot be set lower than \(least)" : "must be greater than zero"
                throw .invalidConfiguration(
                    "The revs_limit (\(limit)) value in your Sync Gateway configuration \(rule).")
            }
            return Int(limit)
        }
    }
}
