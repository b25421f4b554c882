import DocumentValues
import SodiumCrypto
import SyncProtocol

/// Decides for each attachment that a pushed revision refers to whether its bytes are here, have to be proved, or have
/// to be sent (§3.6), and verifies the attachments that the client has sent.
struct AttachmentCheck {
    let documents: DocumentService
    let collection: CollectionName
    let requester: Requester
    let revision: IncomingRevision

    /// - Parameter staged: the received attachments.
    func run(
        _ attachments: AttachmentList, staged: [AttachmentHandle: StagedAttachment]
    ) async throws -> ([AttachmentNeed], [BlobDigest: AttachmentContent]) {
        guard attachments.count <= GatewayLimits.attachmentsPerDocument else { throw GatewayError.tooManyAttachments }
        let current = try await currentRevision()
        // The client has to prove that it has content which it may not see, as if that were new.
        let known = current?.isRedacted == true ? [:] : current?.attachments?.list.named ?? [:]
        var needs: [AttachmentNeed] = []
        var needed: Set<BlobDigest> = []
        var content: [BlobDigest: AttachmentContent] = [:]
        for entry in attachments.entries where entry.isStub && !entry.hasData {
            guard let digest = entry.blob else {
                throw GatewayError.missingDigest(of: entry.name)
            }
            let isKept = known[Name(entry.name)]?.digest == entry.digest
            if isKept || content[digest] != nil || needed.contains(digest) { continue }
            if let provided = revision.provided[Name(digest.text)] {
                content[digest] = try await verify(provided, digest: digest, length: entry.length, staged: staged)
                continue
            }
            needed.insert(digest)
            needs.append(try await need(digest))
        }
        return (needs, content)
    }

    private func currentRevision() async throws -> DocumentRevision? {
        let current = try await documents.currentRevisions([revision.documentID], in: collection, as: requester)
        return current.first ?? nil
    }

    private func need(_ digest: BlobDigest) async throws -> AttachmentNeed {
        let stored = try await documents.storedAttachments([digest], of: revision.documentID, in: collection)
        return stored.contains(digest)
            ? .proof(digest: digest.text, nonce: SecureRandom.bytes(20)) : .content(digest: digest.text)
    }

    private func verify(
        _ provided: ProvidedAttachment, digest: BlobDigest, length: Int64?,
        staged: [AttachmentHandle: StagedAttachment]
    ) async throws -> AttachmentContent {
        switch provided {
        case .content(let handle):
            guard let attachment = staged[handle] else { throw GatewayError.lostAttachment }
            guard attachment.digest == digest, length.map({ $0 == Int64(attachment.length) }) ?? true else {
                throw GatewayError.wrongData(of: digest)
            }
            return .staged(attachment)
        case .proof(let text, let nonce):
            let stored = try await documents.attachment(digest, of: revision.documentID, in: collection)
            let expected = try await stored.proof(nonce: nonce)
            guard constantTimeEqual(Array(expected.text.utf8), and: Array(text.utf8)) else {
                throw GatewayError.wrongProof(of: digest)
            }
            return .proved
        }
    }
}
