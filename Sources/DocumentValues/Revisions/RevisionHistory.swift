/// A revision's ancestors, newest first, without the revision itself; the content of the `history` property.
public struct RevisionHistory: Sendable, Hashable, CustomStringConvertible {
    public var ancestors: [RevisionID]

    public init(_ ancestors: [RevisionID] = []) { self.ancestors = ancestors }

    /// Reads a comma-separated list; `nil` if one of its entries is no revision id.
    public init?(parsing text: some StringProtocol) {
        var ancestors: [RevisionID] = []
        for part in Substring(text).utf8.split(separator: UInt8(ascii: ",")) {
            guard let revision = RevisionID(Substring(part).withoutBlanks) else { return nil }
            ancestors.append(revision)
        }
        self.ancestors = ancestors
    }

    public var parent: RevisionID? { ancestors.first }

    public func contains(_ revision: RevisionID) -> Bool { ancestors.contains(revision) }

    /// The history of a child of `revision`, which has this history; at most `limit` entries.
    public func appending(_ revision: RevisionID, limit: Int) -> RevisionHistory {
        RevisionHistory(Array(([revision] + ancestors).prefix(limit)))
    }

    /// The newest entries, ending with `ancestor` when it is among them and with the `limit`th otherwise.
    public func prefix(through ancestor: RevisionID?, limit: Int) -> RevisionHistory {
        let end = ancestor.flatMap { ancestors.firstIndex(of: $0) }.map { $0 + 1 } ?? ancestors.count
        return RevisionHistory(Array(ancestors.prefix(min(end, limit))))
    }

    /// Whether it is cut off before it reaches `base`, as after many changes that were made offline: then the revision may
    /// descend from `base` or not. Histories of versions are never cut off.
    package func isCut(before base: RevisionID) -> Bool {
        guard let oldest = ancestors.last?.treeRevision, let base = base.treeRevision else { return false }
        return ancestors.count > 1 && oldest.generation > base.generation
    }

    public var description: String { ancestors.map(\.description).joined(separator: ",") }
}

extension Substring {
    /// Removes blanks only: no other white space is allowed in a history, and a tree of thousands of revisions has to
    /// be read fast.
    fileprivate var withoutBlanks: Substring {
        var text = self
        while text.utf8.first == UInt8(ascii: " ") { text = Substring(text.utf8.dropFirst()) }
        while text.utf8.last == UInt8(ascii: " ") { text = Substring(text.utf8.dropLast()) }
        return text
    }
}
