import DocumentValues

/// Local documents: checkpoints of clients. They belong to a collection, and not to the user who wrote them.
extension DocumentService {
    package func localDocument(
        _ id: String, in collection: CollectionName, as requester: Requester
    ) async throws -> LocalDocument? {
        let number = try self.collection(collection).number
        let limit = GatewayLimits.bytesReadInPlace
        switch try store.inPlace?.localDocument(id, in: number, upTo: limit) ?? .tooLarge {
        case .found(let document): return document
        case .tooLarge:
            return try await store.read(for: requester.account) { try await $0.localDocuments.find(id, in: number) }
        }
    }

    /// Returns the new revision. 409 if `revision` is not the stored one, 404 if it is given but no document is stored,
    /// 413 if the requester's local documents would have too many bytes, including their overhead.
    package func putLocalDocument(
        _ id: String, body: [UInt8], revision: String?, in collection: CollectionName, as requester: Requester
    ) async throws -> String {
        let number = try self.collection(collection).number
        var body = body
        let members = try JSONTopLevel(settling: &body)
        let kept = members.removing(from: body) { $0.utf8.first == UInt8(ascii: "_") }
        guard !id.isEmpty, id.utf8.count <= GatewayLimits.localDocumentID else { throw GatewayError.invalidDocumentID }
        let now = now
        let owner = requester.userName ?? ""
        return try await store.write(for: requester.account, work: 1 + kept.count / WritePlan.page) { transaction in
            let stored = try await transaction.reader.localDocuments.find(id, in: number)
            try LocalDocument.check(revision, against: stored)
            let next = LocalDocument(id: id, number: (stored?.number ?? 0) + 1, body: kept)
            try await transaction.localDocuments.put(next, in: number, owner: owner, now: now)
            try await LocalDocument.checkShare(of: owner, in: transaction.reader)
            return next.revision
        }
    }

    package func deleteLocalDocument(
        _ id: String, revision: String?, in collection: CollectionName, as requester: Requester
    ) async throws {
        let number = try self.collection(collection).number
        try await store.erase(for: requester.account) { transaction in
            guard let stored = try await transaction.reader.localDocuments.find(id, in: number) else {
                throw GatewayError.missing
            }
            guard revision == stored.revision else { throw GatewayError.localConflict }
            try await transaction.localDocuments.delete(id, in: number)
        }
    }
}

extension LocalDocument {
    /// Administrators have no share: they may write any number of bytes.
    fileprivate static func checkShare(of owner: Name, in store: any StoreReader) async throws {
        guard !owner.isEmpty, try await store.localDocuments.bytes(of: owner) > GatewayLimits.localBytesOfUser else {
            return
        }
        throw GatewayError.localDocumentsTooLarge
    }

    fileprivate static func check(_ revision: String?, against stored: LocalDocument?) throws {
        let named = revision.flatMap { $0.isEmpty ? nil : $0 }
        guard let stored else {
            guard named == nil else { throw GatewayError.noLocalRevision }
            return
        }
        guard named == stored.revision else { throw GatewayError.localConflict }
    }
}
