/// Members at the top of a document that belong to the protocol: a gateway interprets or refuses them when it receives a
/// document, and a client removes them from pulled ones. All others are the user's, whatever their names begin with.
package enum ReservedMember: Sendable, Hashable, CaseIterable {
    case id
    case revision
    /// Another form of the revision's id.
    case version
    case revisions
    case deleted
    case removed
    case purged
    case expiry
    case attachments
    case sync
    /// A name that begins with `_sync_`.
    case partOfSync

    package init?(_ name: String) {
        guard name.utf8.first == UInt8(ascii: "_") else { return nil }
        if let known = Self.byName[Name(name)] {
            self = known
        } else if name.hasExactPrefix(Self.partOfSync.name) {
            self = .partOfSync
        } else {
            return nil
        }
    }

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .partOfSync }.map { (Name($0.name), $0) })

    /// For `partOfSync` the beginning of the names.
    package var name: String {
        switch self {
        case .id: "_id"
        case .revision: "_rev"
        case .version: "_cv"
        case .revisions: "_revisions"
        case .deleted: "_deleted"
        case .removed: "_removed"
        case .purged: "_purged"
        case .expiry: "_exp"
        case .attachments: "_attachments"
        case .sync: "_sync"
        case .partOfSync: "_sync_"
        }
    }

    /// Whether a client must not store a member of this name. It may store `_attachments`: a client keeps attachments there
    /// that are not blobs in the body.
    package static func isReserved(_ name: String) -> Bool { ReservedMember(name).map { $0 != .attachments } ?? false }
}
