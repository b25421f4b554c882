import DocumentValues
import Foundation

/// A local revision and a remote one of which neither descends from the other.
package struct DocumentConflict: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let local: LocalRevision
    /// `sequence` is 0.
    package let remote: LocalRevision
    /// The body both sides started from, where it is still known.
    package let base: [UInt8]?
    /// The remote's history is too short to contain the base, so it is unknown whether its revision descends from that.
    package let isBaseDoubtful: Bool
}

/// How a conflict ends. In a revision tree the remote's branch always goes on; the resolutions differ in the revision
/// that is put on top.
package enum ConflictResolution: Sendable, Hashable {
    /// The remote's revision as it is; over a live local revision a remote deletion gets one more tombstone.
    case remote
    /// The local content as a new revision on top of the remote's.
    case local
    /// Another content as a new revision on top of the remote's.
    case merged([UInt8])
    /// A new tombstone on top of the remote's revision.
    case deleted
}

/// A document that was purged although it had edits which no remote ever got: the edits, quarantined until a person
/// restores or discards them.
public struct QuarantinedDocument: Sendable, Hashable, Identifiable {
    /// Names the entry in the database's quarantine; a document may have several.
    public let id: Int64
    package let collection: CollectionName
    /// Of the document; compared byte by byte.
    @Exact public private(set) var documentID: String
    package let revision: RevisionID
    /// The remote's revision when the edits began; `nil` where it had none, and in entries of earlier versions.
    package let base: RevisionID?
    /// Whether the quarantined edit is a deletion.
    public let isDeleted: Bool
    package let body: [UInt8]
    /// The content with which the edits began; `nil` where it was not known, and in entries of earlier versions.
    package let baseBody: [UInt8]?
    /// The gateway that took the access away, by its URL.
    @Exact public private(set) var remote: String
    /// Why the document was purged.
    @Exact public private(set) var reason: String
    /// Seconds since 1970.
    package let date: Double

    /// The `reason` of all that a replicator has purged.
    package static let accessLost = "Access to the document was lost."

    /// The scope of its collection.
    public var scopeName: String { collection.scope }
    /// Its collection.
    public var collectionName: String { collection.name }
    /// The quarantined revision.
    public var revisionID: String { revision.description }
    /// When it was purged.
    public var quarantinedAt: Date { Date(timeIntervalSince1970: date) }

    /// The quarantined content, as JSON text; `{}` for a deletion.
    public func toJSON() -> String { String(decoding: body, as: UTF8.self) }
}

/// A push that the remote refused; it stays until the document changes, is accepted or is purged.
public struct RejectedPush: Sendable, Hashable, Identifiable {
    /// Identifies the entry as long as the document is refused.
    package let number: Int64
    package let collection: CollectionName
    /// Of the document; compared byte by byte.
    @Exact public private(set) var documentID: String
    package let revision: RevisionID
    /// The gateway that refused it, by its URL.
    @Exact public private(set) var remote: String
    /// The gateway's error number, such as 403.
    public let code: Int
    /// Why, in the gateway's own text, with any control characters; ``description`` is safe to print.
    @Exact public private(set) var reason: String
    /// When it was refused last, in seconds since 1970.
    package let date: Double
    /// When this revision was refused first, in seconds since 1970.
    package let firstDate: Double
    /// A person knows of it and leaves it as it is; a refusal for another reason ends that.
    public let isAcknowledged: Bool

    /// Names the entry in the database's outbox, as long as the document is refused.
    public var id: Int64 { number }
    /// The scope of its collection.
    public var scopeName: String { collection.scope }
    /// Its collection.
    public var collectionName: String { collection.name }
    /// The revision that was refused.
    public var revisionID: String { revision.description }
    /// When the gateway refused the document last.
    public var rejectedAt: Date { Date(timeIntervalSince1970: date) }
    /// When the gateway refused the document first.
    public var firstRejectedAt: Date { Date(timeIntervalSince1970: firstDate) }
}

extension QuarantinedDocument: CustomStringConvertible {
    /// Without the content.
    public var description: String {
        "'\(documentID.withControlsEscaped)' in \(collection), revision \(revision): \(reason.withControlsEscaped)"
    }
}

extension RejectedPush: CustomStringConvertible {
    /// Which document was refused, and why.
    public var description: String {
        "'\(documentID.withControlsEscaped)' in \(collection), revision \(revision): "
            + "\(reason.withControlsEscaped) (\(code))"
    }
}

/// A conflict with its resolution.
package struct DecidedConflict: Sendable {
    package let conflict: DocumentConflict
    package let resolution: ConflictResolution

    package init(_ conflict: DocumentConflict, resolution: ConflictResolution) {
        self.conflict = conflict
        self.resolution = resolution
    }
}
