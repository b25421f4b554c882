import Dispatch
import DocumentValues
import NIOCore

/// The content of attachments.
extension DocumentService {
    /// The content of one of a document's attachments, to be read piece by piece; 404 if it is not there.
    package func attachment(
        _ digest: BlobDigest, of id: String, in collection: CollectionName
    ) async throws -> AttachmentReader {
        let number = try self.collection(collection).number
        let found = try await store.read { store -> (document: Int64, length: Int)? in
            guard let document = try await store.documents.number(of: id, in: number),
                let length = try await store.attachments.length(of: Name(digest.text), document: document)
            else { return nil }
            return (document, length)
        }
        guard let found else { throw GatewayError.missing }
        return AttachmentReader(length: found.length, store: store, document: found.document, digest: Name(digest.text))
    }

    /// The bytes of each of these that the document has: the lengths that clients send are not checked.
    package func attachmentLengths(
        _ digests: Set<Name>, of id: String, in collection: CollectionName
    ) async throws -> [Name: Int] {
        let number = try self.collection(collection).number
        return try await store.read { store in
            guard let document = try await store.documents.number(of: id, in: number) else { return [:] }
            var lengths: [Name: Int] = [:]
            for digest in digests {
                lengths[digest] = try await store.attachments.length(of: digest, document: document)
            }
            return lengths
        }
    }

    /// Which of these the document has, except those of replaced revisions, which will be deleted soon.
    package func storedAttachments(
        _ digests: Set<BlobDigest>, of id: String, in collection: CollectionName
    ) async throws -> Set<BlobDigest> {
        let number = try self.collection(collection).number
        return try await store.read { store in
            guard let document = try await store.documents.number(of: id, in: number) else { return [] }
            var stored: Set<BlobDigest> = []
            for digest in digests where try await store.attachments.contains(Name(digest.text), of: document) {
                let isGoing = try await store.attachments.isReplaced(Name(digest.text), of: document)
                if !isGoing { stored.insert(digest) }
            }
            return stored
        }
    }

    /// A file for content that is about to be received.
    ///
    /// - Parameter user: the user on whose volume it counts; `nil` for administrators.
    package func stageAttachment(of owner: StagingOwner?, by user: Name?) -> StagedAttachment {
        let volume = AccountShares.Holder(environment.incoming, account: incomingAccount(of: user))
        return StagedAttachment(folder: store.folder, owner: owner, user: user, volume: volume)
    }

    /// Adds to content, off the caller's thread. Throws 507 if the user leaves too little of the disk for others.
    package func append(_ bytes: ByteBuffer, to attachment: StagedAttachment) async throws {
        try await store.upkeep?.checkRoom()
        if attachment.length + bytes.readableBytes > GatewayLimits.attachmentInMemory {
            try checkRoom(for: bytes.readableBytes, by: attachment.user)
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let disk = store.disk
            files.async {
                let outcome = Result { try attachment.append(bytes) }
                if case .failure(let failure) = outcome { disk.note(failure) }
                continuation.resume(with: outcome)
            }
        }
    }
}
