/// The identity of one revision of a document.
///
/// An id shows little by itself: an `Ancestry` or a `RevisionTree` knows which revision descends from which. This type
/// has the few comparisons that ids alone allow; callers do no arithmetic with its parts.
public enum RevisionID: Sendable, Hashable {
    /// A node of a revision tree, as in `CBMobile_3` and before.
    case tree(TreeRevision)
    /// A time of one source, as in version vectors.
    case version(Version)

    public init(generation: UInt32, digest: String) {
        self = .tree(TreeRevision(generation: generation, digest: digest))
    }

    /// Reads the tree form, `generation-digest`. Versions are read by `Version` itself, where they are exchanged;
    /// everywhere else a text with `@` is no revision.
    public init?(_ text: String) { self.init(Substring(text)) }

    public init?(_ text: Substring) {
        guard let revision = TreeRevision(text) else { return nil }
        self = .tree(revision)
    }

    /// `nil` for a version.
    public var treeRevision: TreeRevision? {
        switch self {
        case .tree(let revision): revision
        case .version: nil
        }
    }
}

extension RevisionID: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tree(let revision): revision.description
        case .version(let version): version.description
        }
    }
}

extension RevisionID {
    /// Whether this revision may descend from `other`, judged by the two ids. Only a history shows whether it does.
    public func mayDescend(from other: RevisionID) -> Bool {
        switch (self, other) {
        case (.tree(let revision), .tree(let other)): revision.generation > other.generation
        case (.version(let version), .version(let other)): version.source != other.source || version.time > other.time
        // A document's tree is older than its vector.
        case (.version, .tree): true
        case (.tree, .version): false
        }
    }

    /// Which of two leaves is the document's present revision if nothing else decides, by a rule that all peers share:
    /// the higher generation, or the later time; then the greater bytes.
    public func wins(over other: RevisionID) -> Bool {
        switch (self, other) {
        case (.tree(let revision), .tree(let other)): revision > other
        case (.version(let version), .version(let other)): version > other
        case (.version, .tree): true
        case (.tree, .version): false
        }
    }

    /// The `revpos` of an attachment that comes with this revision. A version has none of its own: a gateway takes the
    /// position from the tree id that it makes for it.
    public var attachmentPosition: UInt32 { treeRevision?.generation ?? 0 }

    /// Whether the id is short enough for messages. A digest from outside may have any length, all versions are short.
    package var isSendable: Bool {
        switch self {
        case .tree(let revision): revision.digest.utf8.count <= RevisionLimits.digestBytes
        case .version: true
        }
    }
}

extension Sequence<RevisionID> {
    /// Each revision before those that it wins over.
    package var winnersFirst: [RevisionID] { sorted { $0.wins(over: $1) } }
}
