import GatewayCore

/// Routes of documents, attachments and changes.
extension GatewayError {
    static func noSuchDocument(_ id: String, in collection: String, end: String) -> GatewayError {
        GatewayError(404, reason: "There is no document '\(id)' in \(collection)\(end)")
    }
    static let emptyDocument = GatewayError(400, reason: "Document body is empty")
    static let revWithOpenRevs = GatewayError(400, reason: "rev and open_revs cannot be combined")
    static let badOpenRevs = GatewayError(400, reason: "bad open_revs")
    static let replicator2 = GatewayError(501, reason: "replicator2 endpoints are only supported in EE")
    static let noResultOfWrite = GatewayError(500, reason: "The write gave no result")
    static func noSuchAttachment(_ name: String) -> GatewayError {
        GatewayError(404, reason: "Attachment \(name) is not found")
    }
    static func missingAttachment(_ name: String) -> GatewayError {
        GatewayError(404, reason: "missing attachment \(name)")
    }
    static let missingDocumentOfAttachment = GatewayError(404, reason: "Document specified is not found")
    static let attachmentNeedsRevision = GatewayError(
        409, reason: "Cannot modify attachments without a specific rev ID")
    static let unfinishedAttachment = GatewayError(500, reason: "An attachment ends too early")
    static func attachmentsTooLarge(of id: String, bytes: Int) -> GatewayError {
        GatewayError(
            413,
            reason: "The attachments of '\(id)' have \(bytes) bytes, and one answer "
                + "\(GatewayServerLimits.attachmentsOfAnswer); get them one by one")
    }
    static let invalidBoundary = GatewayError(400, reason: "Invalid multipart boundary")
    static func tooManyParts(expected count: Int) -> GatewayError {
        GatewayError(400, reason: "Too many MIME parts (expected \(count))")
    }
    static func tooFewParts(_ count: Int, expected: Int) -> GatewayError {
        GatewayError(400, reason: "Too few MIME parts: expected \(expected) attachments, got \(count)")
    }
    static func strangePart(_ number: Int) -> GatewayError {
        GatewayError(400, reason: "MIME part #\(number) doesn't match any attachment")
    }
    static func otherLength(of name: String, read length: Int, stated: Int64) -> GatewayError {
        GatewayError(
            400, reason: "Attachment length mismatch for \"\(name)\": read \(length) bytes, should be \(stated)")
    }
    static let missingDocs = GatewayError(400, reason: "missing 'docs' property")
    static let invalidBulkDocument = GatewayError(400, reason: "Document body must be JSON")
    static let invalidBulkGet = GatewayError(400, reason: "Invalid doc/rev ID in _bulk_get")
    static func noStringArray(_ name: String) -> GatewayError {
        GatewayError(400, reason: "\(name) must be a string array")
    }
    static func noStringArrayInQuery(_ name: String) -> GatewayError {
        GatewayError(400, reason: "\(name) URL param is not a JSON string array")
    }
    static let badKeys = GatewayError(400, reason: "Bad keys")
    static let missingKeys = GatewayError(400, reason: "Bad/missing keys")
    static let hiddenDocumentList = GatewayError(
        403, reason: "public access to _all_docs is disabled for this database")
    static let unknownFeed = GatewayError(400, reason: "Unknown feed type")
    static let invalidSequence = GatewayError(400, reason: "Invalid sequence")
    static let unknownFilter = GatewayError(400, reason: "Unknown filter; try sync_gateway/bychannel or _doc_ids")
    static let missingChannels = GatewayError(400, reason: "Missing 'channels' filter parameter")
    static let missingDocumentIDs = GatewayError(400, reason: "Missing 'doc_ids' filter parameter")
    static let emptyDocumentIDs = GatewayError(400, reason: "Empty doc_ids list")
    static let documentIDsOfLongFeed = GatewayError(
        400, reason: "Filter '_doc_ids' is only valid for feed=normal replications")
}
