import BLIPProtocol
import DocumentValues

/// The gateway's answer about a collection that a client names.
package enum CollectionAnswer: Sendable, Hashable {
    case unknown
    case known(checkpoint: JSONObject?, revision: String?)
}

/// A revision that a client requested.
package struct RevisionRequest: Sendable, Hashable {
    package let documentID: String
    /// Empty for the current revision.
    package let revision: String
    /// The revision that the client has: the answer may be a difference to it.
    package var deltaSource: RevisionID?
}

/// The result for a requested revision.
package enum LoadedRevision: Sendable, Hashable {
    /// The requested leaf, or the current revision, which may be newer. If there are attachments, the body contains
    /// `_attachments`, and their digests come beside it.
    case found(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, body: [UInt8], attachments: [String])
    /// The same as a difference to the revision that the request names, which the client may see.
    case delta(
        from: RevisionID, revision: RevisionID, history: RevisionHistory, body: [UInt8], attachments: [String])
    /// The client may not see it (any more): it gets `{"_removed":true}`.
    case removed(RevisionHistory)
    /// An HTTP status and why.
    case unavailable(Int, String)

    var isDelta: Bool {
        switch self {
        case .delta: true
        case .found, .removed, .unavailable: false
        }
    }

    package var bodyCount: Int {
        switch self {
        case .found(_, _, _, let body, _), .delta(_, _, _, let body, _): body.count
        case .removed, .unavailable: 0
        }
    }
}

/// Identifies incoming content that the driver keeps for a session.
package struct AttachmentHandle: Sendable, Hashable {
    package let number: UInt64

    init(_ number: UInt64) { self.number = number }
}

/// An attachment's bytes, which the driver has, or the proof that the client has them.
package enum ProvidedAttachment: Sendable, Hashable {
    case content(AttachmentHandle)
    case proof(String, nonce: [UInt8])
}

/// An attachment that has to come from the client before its revision can be stored.
package enum AttachmentNeed: Sendable, Hashable {
    case content(digest: String)
    /// The gateway has the bytes already; the client has to prove that it has them, too.
    case proof(digest: String, nonce: [UInt8])

    package var digest: String {
        switch self {
        case .content(let digest), .proof(let digest, _): digest
        }
    }
}

extension [AttachmentNeed] {
    /// Bytes that the client has to send for them, according to their metadata; content with two names counts once.
    ///
    /// - Parameter size: of one attachment; a larger one is refused before all of it has come.
    package func expectedBytes(in attachments: AttachmentList, atMost size: Int) -> Int {
        var missing: Set<Name> = []
        for need in self { if case .content(let digest) = need { missing.insert(Name(digest)) } }
        var sum = 0
        for entry in attachments.entries {
            guard let digest = entry.digest, missing.remove(digest) != nil, let length = entry.length else { continue }
            sum += Int(Swift.min(Swift.max(0, length), Int64(size)))
        }
        return sum
    }
}

/// The result for a pushed revision.
package enum StoreOutcome: Sendable, Hashable {
    case stored
    case needs([AttachmentNeed])
    case refused(BLIPErrorReply)
}
