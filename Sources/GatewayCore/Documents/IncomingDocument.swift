import DocumentValues

/// The parts of a document to be stored: the user's members, and the instructions for the gateway.
struct IncomingDocument: Sendable {
    enum Edit: Sendable, Hashable {
        case new(replacing: RevisionID?)
        case existing(RevisionID, history: RevisionHistory)
    }

    let id: String
    let edit: Edit
    let isDeleted: Bool
    /// Without reserved members.
    let body: [UInt8]
    /// The `_attachments` member.
    let attachments: JSONObject?
    /// Seconds since 1970.
    let expires: Int64?
    /// Attachments that were sent beside the body.
    let content: [BlobDigest: AttachmentContent]
    /// It must not become a leaf beside another live one, although the database may allow that.
    private(set) var refusesConflicts = false

    init(
        id: String, edit: Edit, isDeleted: Bool, body: [UInt8], attachments: JSONObject?, expires: Int64?,
        content: [BlobDigest: AttachmentContent]
    ) throws(GatewayError) {
        guard Self.isValid(id) else { throw .invalidDocumentID }
        guard body.count <= GatewayLimits.documentSize else { throw GatewayError(413, reason: "Document too large!") }
        if case .existing(_, let history) = edit, history.ancestors.count > GatewayLimits.history {
            throw .historyTooLong(history.ancestors.count)
        }
        try Self.check(edit)
        guard (attachments?.count ?? 0) <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
        self.id = id
        self.edit = edit
        self.isDeleted = isDeleted
        self.body = body
        self.attachments = attachments.flatMap { $0.isEmpty ? nil : $0 }
        self.expires = expires
        self.content = content
    }

    /// A revision must have a higher generation than its ancestors. Otherwise invented ancestors could make the tree forget
    /// a revision, so that its id could be given to another one.
    private static func check(_ edit: Edit) throws(GatewayError) {
        guard case .existing(var revision, let history) = edit else { return }
        for ancestor in history.ancestors {
            guard revision.mayDescend(from: ancestor) else {
                throw GatewayError(
                    400, reason: "Revision \(revision) cannot descend from \(ancestor), whose generation is not lower")
            }
            revision = ancestor
        }
    }

    /// - Parameter now: seconds since 1970.
    init(_ write: DocumentWrite, now: Int64) throws {
        switch write.content {
        case .object(let bytes): try self.init(write, object: bytes, now: now)
        case .parts(let body, let attachments, let expiry):
            try Self.checkValues(of: body)
            try self.init(
                id: write.id, edit: try Self.edit(write.edit), isDeleted: write.isDeleted, body: body,
                attachments: attachments, expires: try expiry.flatMap { try Expiry.time($0, now: now) },
                content: write.attachments)
            refusesConflicts = write.refusesConflicts
        }
    }

    private init(_ write: DocumentWrite, object: [UInt8], now: Int64) throws {
        var bytes = object
        try Self.checkValues(of: bytes)
        let members = try JSONTopLevel(settling: &bytes)
        var isDeleted = write.isDeleted
        var attachments: JSONObject?
        var expires: Int64?
        var reserved: Set<Name> = []
        for member in members.members where member.key.utf8.first == UInt8(ascii: "_") {
            try Self.refuse(member.key)
            guard Self.interpreted.contains(Name(member.key)) else { continue }
            // Members about the revision's ancestry are read below.
            let isAncestry = ["_rev", "_cv", "_revisions"].contains(member.key)
            let value = isAncestry ? JSONValue.null : try JSONValue(parsing: Array(bytes[member.value]))
            switch member.key {
            case "_deleted":
                // A member of this name that is not a boolean is an ordinary member.
                guard let flag = value.boolValue else { continue }
                isDeleted = isDeleted || flag
            case "_attachments": attachments = value.objectValue
            case "_exp": expires = try Expiry.time(value, now: now)
            case "_id":
                if let id = value.stringValue, !id.isExactly(write.id) { throw GatewayError.otherDocumentID }
            default: break
            }
            reserved.insert(Name(member.key))
        }
        let edit = try Self.edit(write.edit, members: members, bytes: bytes)
        try self.init(
            id: write.id, edit: edit, isDeleted: isDeleted,
            body: members.removing(from: bytes, where: { reserved.contains(Name($0)) }),
            attachments: attachments, expires: expires, content: write.attachments)
        refusesConflicts = write.refusesConflicts
    }

    private static let interpreted: Set<Name> = [
        "_id", "_rev", "_cv", "_revisions", "_exp", "_deleted", "_attachments",
    ]

    static func isValid(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= GatewayLimits.documentID && id.utf8.first != UInt8(ascii: "_")
    }

    private static func checkValues(of body: [UInt8]) throws(GatewayError) {
        if body.hasMoreJSONValues(than: GatewayLimits.documentValues) { throw .tooManyValues }
    }

    private static func refuse(_ key: String) throws(GatewayError) {
        if key == "_removed" { throw GatewayError(404, reason: "Document revision is not accessible") }
        if key == "_sync" {
            throw GatewayError(400, reason: "document-top level property '\(key)' is a reserved internal property")
        }
        if key == "_purged" {
            throw GatewayError(400, reason: "user defined top-level property '\(key)' is not allowed in document body")
        }
        if key.hasExactPrefix("_sync_") {
            throw GatewayError(
                400,
                reason: "user defined top-level properties that start with '_sync_' are not allowed in document body")
        }
    }

    // MARK: - Position in the tree

    /// For a body without such members.
    private static func edit(_ edit: DocumentWrite.Edit) throws(GatewayError) -> Edit {
        switch edit {
        case .new(let replacing): .new(replacing: replacing)
        case .existing(let revision, let history): .existing(revision, history: history)
        case .existingInBody: throw .badRevisions
        }
    }

    private static func edit(_ edit: DocumentWrite.Edit, members: JSONTopLevel, bytes: [UInt8]) throws -> Edit {
        switch edit {
        case .new(let replacing?): .new(replacing: try agreed(replacing, members: members, bytes: bytes))
        case .new(nil): .new(replacing: try revision(members, bytes: bytes))
        case .existing(let revision, let history): .existing(revision, history: history)
        case .existingInBody: try existing(members, bytes: bytes)
        }
    }

    private static func text(_ key: String, members: JSONTopLevel, bytes: [UInt8]) throws -> String? {
        try members[key].flatMap { try JSONValue(parsing: Array(bytes[$0])).stringValue }
    }

    private static func revision(_ members: JSONTopLevel, bytes: [UInt8]) throws -> RevisionID? {
        guard let text = try text("_rev", members: members, bytes: bytes), !text.isEmpty else { return nil }
        guard let revision = RevisionID(text) else { throw GatewayError.invalidRevision }
        return revision
    }

    /// The revision in the request, unless the body names another one.
    private static func agreed(
        _ replacing: RevisionID, members: JSONTopLevel, bytes: [UInt8]
    ) throws -> RevisionID {
        if let text = try text("_rev", members: members, bytes: bytes), !text.isEmpty,
            !text.isExactly(replacing.description)
        {
            throw GatewayError.revisionsDiffer
        }
        return replacing
    }

    /// `_revisions` as `{"start":generation,"ids":[digests, newest first]}`; without it `_rev` is alone.
    private static func existing(_ members: JSONTopLevel, bytes: [UInt8]) throws -> Edit {
        guard let range = members["_revisions"] else {
            guard let revision = try text("_rev", members: members, bytes: bytes).flatMap(RevisionID.init) else {
                throw GatewayError.badRevisions
            }
            return .existing(revision, history: RevisionHistory())
        }
        try checkCount(bytes[range])
        let value = try JSONValue(parsing: Array(bytes[range]))
        guard let start = value["start"]?.integerValue, let ids = value["ids"]?.arrayValue,
            // A value that is not a text is not a digest.
            let listing = RevisionListing(start: start, digests: ids.map { $0.stringValue ?? "" })
        else { throw GatewayError.badRevisions }
        let revisions = listing.revisions
        return .existing(revisions[0], history: RevisionHistory(Array(revisions.dropFirst())))
    }
}

extension IncomingDocument {
    /// Millions of ids are refused before they are read: no id has a comma in it.
    private static func checkCount(_ revisions: ArraySlice<UInt8>) throws(GatewayError) {
        guard revisions.count > 2 * GatewayLimits.history else { return }
        let commas = revisions.withUnsafeBufferPointer { bytes in
            var count = 0
            for byte in bytes where byte == UInt8(ascii: ",") { count += 1 }
            return count
        }
        // One comma is before `ids` or `start`.
        guard commas - 1 <= GatewayLimits.history else { throw .historyTooLong(commas - 1) }
    }
}

extension GatewayError {
    static let otherDocumentID = GatewayError(
        400, reason: "The document ID provided in the body does not match the document ID in the path")
    package static let tooManyValues = GatewayError(
        413, reason: "Document has more than \(GatewayLimits.documentValues) members and elements")
    package static let tooManyAttachments = GatewayError(
        413, reason: "Too many attachments: a document may have \(GatewayLimits.attachmentsPerDocument)")
    package static let revisionsDiffer = GatewayError(400, reason: "Revision IDs provided do not match")
    package static let invalidRevision = GatewayError(400, reason: "Invalid revision ID")
    static let badRevisions = GatewayError(400, reason: "Bad _revisions")

    static func historyTooLong(_ count: Int) -> GatewayError {
        GatewayError(413, reason: "The revision names \(count) ancestors; it may name \(GatewayLimits.history)")
    }
}
