import DocumentValues

/// Refuses revision ids that no message could carry. Stored ones stay.
enum RevisionLength {
    static func check(_ revisions: some Sequence<RevisionID>) throws(GatewayError) {
        for case .tree(let revision) in revisions where revision.digest.utf8.count > RevisionLimits.digestBytes {
            throw GatewayError.digestTooLong(of: revision)
        }
    }
}
