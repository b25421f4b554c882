import DocumentValues

/// The revisions that remotes are known to have, in a document's row.
enum RemoteAncestors {
    /// Records that the remote has `revision` of the document, unless the remote is already known to have a newer
    /// revision of it.
    ///
    /// - Parameter name: the id that the remote has for it, if that differs.
    static func record(
        _ revision: RevisionID, as name: RevisionID? = nil, in ancestry: Ancestry, of document: CollectionDocument,
        remote: Int64, _ table: DocumentTable
    ) throws {
        guard isNews(revision, as: name, in: ancestry, of: document, remote: remote) else { return }
        var changed = document
        changed.remotes.set(name ?? revision, of: remote, sameAs: revision)
        if revision != ancestry.revision, document.remotes.local(of: remote) == document.revision {
            // The remote had the present content and went back to an older revision. A new sequence makes the push look
            // at the document again.
            let digests = try DocumentBody(scanned: document.body).digests
            _ = try table.put(changed, naming: digests, replacing: document)
        } else {
            try table.setRemotes(changed.remotes, of: document)
        }
    }

    /// Records that the remote has the former revision, which another remote's has replaced here, perhaps while it was
    /// being sent. Otherwise it would look like a new edit when the remote announces it.
    static func recordReplaced(
        _ revision: RevisionID, as name: RevisionID, of document: CollectionDocument, remote: Int64,
        _ table: DocumentTable
    ) throws {
        guard document.remotes.hasOthers(than: remote), !document.flags.contains(.inConflict),
            document.remotes[remote].map({ name.mayDescend(from: $0) }) ?? true
        else { return }
        var remotes = document.remotes
        remotes.set(name, of: remote, sameAs: revision)
        try table.setRemotes(remotes, of: document)
    }

    static func isNews(
        _ revision: RevisionID, as name: RevisionID? = nil, in ancestry: Ancestry, of document: CollectionDocument,
        remote: Int64
    ) -> Bool {
        let name = name ?? revision
        guard let had = document.remotes[remote], let known = document.remotes.local(of: remote) else { return true }
        if known != revision {
            if ancestry.contains(known) {
                if ancestry.isNewer(revision, than: known) { return true }
            } else if had == known || had == name {
                return true
            }
        }
        guard had != known, had != name else { return false }
        // The order of our revisions does not hold for a remote that has the content under another id; the remote's own
        // order does.
        if ancestry.contains(had) { return ancestry.isNewer(revision, than: had) }
        return name.mayDescend(from: had)
    }
}
