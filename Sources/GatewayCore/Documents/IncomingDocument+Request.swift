import DocumentValues

extension IncomingDocument {
    /// - Parameter now: seconds since 1970.
    init(_ write: DocumentWrite, now: Int64) throws {
        var bytes = write.body
        try Self.checkValues(of: bytes)
        let reserved = ReservedMembers(of: try JSONTopLevel(settling: &bytes))
        var isDeleted = write.isDeleted
        var attachments: AttachmentList?
        var expires: Int64?
        var interpreted: Set<ReservedMember> = []
        for found in reserved.found {
            try Self.check(found)
            // Members about the revision's ancestry are read below.
            let value =
                found.member.isOfAncestry ? JSONValue.null : try JSONValue(parsing: Array(bytes[found.value]))
            switch found.member {
            case .deleted:
                // A member of this name that is not a boolean is an ordinary member.
                guard let flag = value.boolValue else { continue }
                isDeleted = isDeleted || flag
            case .attachments: attachments = value.objectValue.map { AttachmentList($0) }
            case .expiry: expires = try Expiry.time(value, now: now)
            case .id:
                if let id = value.stringValue, !id.isExactly(write.id) { throw GatewayError.otherDocumentID }
            case .revision, .version, .revisions, .removed, .purged, .sync, .partOfSync: break
            }
            interpreted.insert(found.member)
        }
        try self.init(
            id: write.id, edit: try Self.edit(write.edit, reserved: reserved, bytes: bytes), isDeleted: isDeleted,
            body: reserved.removing(interpreted, from: bytes), attachments: attachments, expires: expires,
            content: write.attachments)
    }

    /// Refuses members that no request may have.
    private static func check(_ found: ReservedMembers.Found) throws(GatewayError) {
        switch found.member {
        case .id, .revision, .version, .revisions, .deleted, .expiry, .attachments: return
        case .removed: throw GatewayError.inaccessibleRevision
        case .sync:
            throw GatewayError.internalMember(found.name)
        case .purged:
            throw GatewayError.forbiddenMember(found.name)
        case .partOfSync:
            throw GatewayError.syncMember
        }
    }

    // MARK: - Position in the tree

    private static func edit(_ edit: DocumentWrite.Edit, reserved: ReservedMembers, bytes: [UInt8]) throws -> Edit {
        switch edit {
        case .new(let replacing?): .new(replacing: try agreed(replacing, reserved: reserved, bytes: bytes))
        case .new(nil): .new(replacing: try revision(reserved, bytes: bytes))
        case .existing(let revision, let history): .existing(revision, history: history)
        case .existingInBody: try existing(reserved, bytes: bytes)
        }
    }

    /// `_rev`; `nil` if there is none.
    private static func statedRevision(_ reserved: ReservedMembers, bytes: [UInt8]) throws -> String? {
        try reserved.value(of: .revision, in: bytes)?.stringValue
    }

    private static func revision(_ reserved: ReservedMembers, bytes: [UInt8]) throws -> RevisionID? {
        guard let text = try statedRevision(reserved, bytes: bytes), !text.isEmpty else { return nil }
        guard let revision = RevisionID(text) else { throw GatewayError.invalidRevision }
        return revision
    }

    /// The revision in the request, unless the body names another one.
    private static func agreed(
        _ replacing: RevisionID, reserved: ReservedMembers, bytes: [UInt8]
    ) throws -> RevisionID {
        if let text = try statedRevision(reserved, bytes: bytes), !text.isEmpty,
            !text.isExactly(replacing.description)
        {
            throw GatewayError.revisionsDiffer
        }
        return replacing
    }

    /// `_revisions` as `{"start":generation,"ids":[digests, newest first]}`; without it `_rev` is alone.
    private static func existing(_ reserved: ReservedMembers, bytes: [UInt8]) throws -> Edit {
        guard let range = reserved[.revisions] else {
            guard let revision = try statedRevision(reserved, bytes: bytes).flatMap(RevisionID.init) else {
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

extension ReservedMember {
    /// Whether it says where a revision is in the document's tree.
    fileprivate var isOfAncestry: Bool {
        switch self {
        case .revision, .version, .revisions: true
        case .id, .deleted, .removed, .purged, .expiry, .attachments, .sync, .partOfSync: false
        }
    }
}
