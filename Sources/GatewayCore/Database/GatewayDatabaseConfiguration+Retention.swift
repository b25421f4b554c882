import DocumentValues

extension GatewayDatabaseConfiguration {
    /// How many replaced revisions are kept, and for how long replaced attachments are.
    struct Retention: Sendable, Hashable {
        /// Revisions of a document's history.
        let revisions: Int
        /// For how long content stays that the current revision no longer refers to.
        let replacedAttachmentSeconds: Int64
        let localDocumentSeconds: Int64

        init(_ json: JSONObject, allowsConflicts: Bool) throws(GatewayError) {
            revisions = try Self.revisionLimit(json, allowsConflicts: allowsConflicts)
            let expiry = json["old_rev_expiry_seconds"]?.integerValue ?? GatewayLimits.oldRevisionExpiry
            replacedAttachmentSeconds = min(expiry, GatewayLimits.longestReplacedAttachment)
            localDocumentSeconds =
                json["local_doc_expiry_secs"]?.integerValue ?? GatewayLimits.localDocumentDays * 24 * 3_600
        }

        /// With conflicts, a history that is too short makes new branches out of descendants.
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
