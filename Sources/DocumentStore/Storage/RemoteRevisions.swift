import DocumentValues

/// The revisions that remotes are known to have of a document: `REMOTE=REVISION` or `REMOTE=REVISION/LOCAL`, separated by
/// blanks, as it is stored in its row. No digest has a `/`. Earlier versions wrote `~` between the two, which a peer's
/// digest may have: such a revision is written with a `/` behind it where it has no local one.
///
/// The second form is for a remote that is on another branch than the document: two remotes had different revisions,
/// and the conflict was settled for one of them. The local content then goes to the other as a child of *its* revision,
/// and `LOCAL` is our revision with that content. If the content came from that remote as well, under another id, it is
/// noted the same way.
///
/// It is part of the row because nearly every document has exactly one remote: a table of its own would double the cost
/// of a pull.
struct RemoteRevisions: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var remote: Int64
        var revision: RevisionID
        var local: RevisionID?

        var text: String {
            if let local { return revision.description + "/" + local.description }
            let name = revision.description
            return name.utf8.contains(UInt8(ascii: "~")) ? name + "/" : name
        }
    }

    private var entries: [Entry] = []

    init() {}

    init(parsing text: String) {
        // Of a document that was never exchanged.
        guard !text.isEmpty else { return }
        for entry in text.split(separator: " ") {
            guard let separator = entry.firstIndex(of: "="), let remote = Int64(entry[..<separator]) else { continue }
            let revisions = Self.parts(of: entry[entry.index(after: separator)...])
            // Without an entry there is one needless proposal, no more.
            guard let revision = revisions.first.flatMap({ RevisionID($0) }) else { continue }
            let local = revisions.count > 1 ? RevisionID(revisions[1]) : nil
            entries.append(Entry(remote: remote, revision: revision, local: local))
        }
    }

    private static func parts(of text: Substring) -> [Substring] {
        let separator: Character = text.utf8.contains(UInt8(ascii: "/")) ? "/" : "~"
        return text.split(separator: separator, maxSplits: 1)
    }

    var text: String {
        entries.isEmpty ? "" : entries.map { String($0.remote) + "=" + $0.text }.joined(separator: " ")
    }

    /// The revision that the remote has, by the remote's id.
    subscript(remote: Int64) -> RevisionID? {
        entries.first { $0.remote == remote }?.revision
    }

    /// The revision here whose content the remote has; it may not exist here if the remote is on another branch.
    func local(of remote: Int64) -> RevisionID? {
        entries.first { $0.remote == remote }.map { $0.local ?? $0.revision }
    }

    /// A revision by the id that it has here; `revision` may be the id of either side.
    func local(of remote: Int64, as revision: RevisionID) -> RevisionID {
        entries.first { $0.remote == remote && $0.revision == revision }?.local ?? revision
    }

    /// - Parameter local: the revision here with the content, if the remote has it under another id.
    mutating func set(_ revision: RevisionID, of remote: Int64, sameAs local: RevisionID? = nil) {
        let entry = Entry(remote: remote, revision: revision, local: local == revision ? nil : local)
        if let index = entries.firstIndex(where: { $0.remote == remote }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }

    /// Whether no remote is known to have any revision of the document.
    var isEmpty: Bool { entries.isEmpty }

    /// Whether the document is exchanged with others, too.
    func hasOthers(than remote: Int64) -> Bool { entries.contains { $0.remote != remote } }

    /// Each remote that has the content of `old` has that of `new`, which is the same.
    mutating func carryOver(from old: RevisionID, to new: RevisionID) {
        for index in entries.indices where (entries[index].local ?? entries[index].revision) == old {
            entries[index].local = entries[index].revision == new ? nil : new
        }
    }

    /// As if each remote had an older revision; as if none had the document where there is none.
    func setBack(to older: RevisionID?) -> RemoteRevisions {
        var remotes = RemoteRevisions()
        guard let older else { return remotes }
        for entry in entries { remotes.set(older, of: entry.remote) }
        return remotes
    }

    /// Whether any remote has it, perhaps under another id.
    func contains(_ revision: RevisionID) -> Bool {
        entries.contains { $0.revision == revision || $0.local == revision }
    }
}
