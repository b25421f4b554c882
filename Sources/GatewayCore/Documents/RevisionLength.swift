import DocumentValues

/// Refuses revision ids that no message could carry. Stored ones stay.
enum RevisionLength {
    static func check(_ revisions: some Sequence<RevisionID>) throws(GatewayError) {
        for case .tree(let revision) in revisions where revision.digest.utf8.count > RevisionLimits.digestBytes {
            throw GatewayError(
                400,
                reason: "Invalid revision ID: the digest of \(revision.generation)-\(revision.digest.prefix(16))… has "
                    + "\(revision.digest.utf8.count) bytes; it may have \(RevisionLimits.digestBytes)")
        }
    }
}
