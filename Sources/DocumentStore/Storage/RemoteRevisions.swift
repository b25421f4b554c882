import DocumentValues

/// What remotes are known to have of a document: `REMOTE=REVISION`, separated by blanks, as it is stored in its row.
///
/// It is part of the row because nearly every document has exactly one remote: a table of its own would double the cost
/// of a pull.
struct RemoteRevisions: Sendable, Hashable {
    private(set) var entries: [(remote: Int64, revision: RevisionID)] = []

    init() {}

    init(parsing text: String) {
        for entry in text.split(separator: " ") {
            guard let separator = entry.firstIndex(of: "="), let remote = Int64(entry[..<separator]),
                let revision = RevisionID(entry[entry.index(after: separator)...])
            else { continue }  // an entry that says nothing costs one needless proposal, no more
            entries.append((remote, revision))
        }
    }

    var text: String {
        entries.map { String($0.remote) + "=" + $0.revision.description }.joined(separator: " ")
    }

    subscript(remote: Int64) -> RevisionID? {
        get { entries.first { $0.remote == remote }?.revision }
        set {
            let place = entries.firstIndex { $0.remote == remote }
            switch (place, newValue) {
            case (let place?, let revision?): entries[place].revision = revision
            case (let place?, nil): entries.remove(at: place)
            case (nil, let revision?): entries.append((remote, revision))
            case (nil, nil): break
            }
        }
    }

    func contains(_ revision: RevisionID) -> Bool { entries.contains { $0.revision == revision } }

    static func == (left: RemoteRevisions, right: RemoteRevisions) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
