import DocumentValues

/// Attachments of documents, and their proofs.
extension GatewayError {
    package static let invalidAttachments = GatewayError(400, reason: "Invalid _attachments")
    package static let tooManyAttachments = GatewayError(
        413, reason: "Too many attachments: a document may have \(GatewayLimits.attachmentsPerDocument)")
    package static let attachmentTooLarge = GatewayError(413, reason: "Attachment too large")
    package static func hiddenAttachment(_ name: String) -> GatewayError {
        GatewayError(403, reason: "Attachment \"\(name)\" belongs to a revision that you may not see")
    }
    package static func invalidBase64(at offset: Int) -> GatewayError {
        GatewayError(400, reason: "illegal base64 data at input byte \(offset)")
    }
    package static let invalidDigest = GatewayError(400, reason: "Invalid digest")
    package static func missingDigest(of name: String) -> GatewayError {
        GatewayError(400, reason: "Missing digest in stub attachment \"\(name)\"")
    }
    package static func missingData(of name: String) -> GatewayError {
        GatewayError(400, reason: "Missing data of attachment \"\(name)\"")
    }
    package static func wrongData(of digest: BlobDigest) -> GatewayError {
        GatewayError(400, reason: "Incorrect data sent for attachment with digest: \(digest)")
    }
    package static func wrongProof(of digest: BlobDigest) -> GatewayError {
        GatewayError(403, reason: "Incorrect proof for attachment \(digest)")
    }
}
