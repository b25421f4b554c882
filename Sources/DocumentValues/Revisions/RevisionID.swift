/// The identity of one revision of a document.
///
/// An id says little by itself: who comes from whom is asked of an `Ancestry` or a `RevisionTree`, and what the id alone
/// can say of an order is asked here. Callers do no arithmetic with what is inside.
public enum RevisionID: Sendable, Hashable {
    /// A node of a revision tree, as `CBMobile_3` and everything before it has it.
    case tree(TreeRevision)
    /// A time of one source, as version vectors have it.
    case version(Version)

    public init(generation: UInt32, digest: String) {
        self = .tree(TreeRevision(generation: generation, digest: digest))
    }

    /// Reads the tree form, `generation-digest`. Where versions are exchanged, they are read by `Version` itself: to all
    /// others a text with `@` is no revision.
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
    /// Whether this revision can come from `other`, as far as the two ids say. Only a history knows whether it does.
    public func mayDescend(from other: RevisionID) -> Bool {
        switch (self, other) {
        case (.tree(let revision), .tree(let other)): revision.generation > other.generation
        case (.version(let version), .version(let other)): version.source != other.source || version.time > other.time
        // A document's tree is older than its vector.
        case (.version, .tree): true
        case (.tree, .version): false
        }
    }

    /// Which of two leaves everybody takes for the document where nothing else decides: the one that is further from the
    /// first revision, or later; then the one whose bytes are greater.
    public func wins(over other: RevisionID) -> Bool {
        switch (self, other) {
        case (.tree(let revision), .tree(let other)): revision > other
        case (.version(let version), .version(let other)): version > other
        case (.version, .tree): true
        case (.tree, .version): false
        }
    }

    /// What an attachment that comes with this revision has as its `revpos`. A version has none of its own: a gateway
    /// takes the position from the tree id that it makes for it.
    public var attachmentPosition: UInt32 { treeRevision?.generation ?? 0 }
}

extension Sequence<RevisionID> {
    /// Each revision before those that it wins over.
    package var winnersFirst: [RevisionID] { sorted { $0.wins(over: $1) } }
}
