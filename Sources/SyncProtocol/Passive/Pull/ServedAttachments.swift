import DocumentValues

/// The attachments of a collection that the client may request now: those of revisions that were sent and not answered.
struct ServedAttachments: Sendable {
    private struct Key {
        let digest: Name
        let documentID: Name
    }

    /// How many open revisions of each document refer to a digest.
    private var counts: [Name: [Name: Int]] = [:]
    private var byTag: [UInt64: [Key]] = [:]

    mutating func allow(_ digests: [String], of documentID: String, until tag: UInt64) {
        guard !digests.isEmpty else { return }
        let keys = digests.map { Key(digest: Name($0), documentID: Name(documentID)) }
        byTag[tag] = keys
        for key in keys { counts[key.digest, default: [:]][key.documentID, default: 0] += 1 }
    }

    mutating func end(_ tag: UInt64) {
        for key in byTag.removeValue(forKey: tag) ?? [] {
            guard let count = counts[key.digest]?[key.documentID] else { continue }
            counts[key.digest]?[key.documentID] = count > 1 ? count - 1 : nil
            if counts[key.digest]?.isEmpty == true { counts[key.digest] = nil }
        }
    }

    func allows(_ digest: String, of documentID: String) -> Bool { counts[Name(digest)]?[Name(documentID)] != nil }

    /// The document of an open revision that refers to the digest; requests of version 2 do not name it.
    func document(referringTo digest: String) -> String? { counts[Name(digest)]?.first?.key.text }
}
