import DocumentValues

/// The content of a revision without its id: two gateways that do not know each other give the same content different
/// ids.
struct RevisionContent {
    let isDeleted: Bool
    let body: [UInt8]

    init(_ document: CollectionDocument) {
        isDeleted = document.isDeleted
        body = document.body
    }

    init(_ pulled: PulledRevision) {
        isDeleted = pulled.isDeleted
        body = pulled.body.bytes
    }

    /// Members may be in another order and numbers be spelled otherwise: gateways rewrite documents.
    func isSame(as other: RevisionContent) throws -> Bool {
        guard isDeleted == other.isDeleted else { return false }
        if isDeleted || body == other.body { return true }
        return try Self.comparable(body) == Self.comparable(other.body)
    }

    private static func comparable(_ body: [UInt8]) throws -> JSONValue {
        guard case .object(var document) = try JSONValue(parsing: body) else { return .null }
        guard let attachments = document[attachmentsName]?.objectValue else { return .object(document) }
        // The generation of an attachment, and whether its bytes came along, differ between gateways.
        document[attachmentsName] = .object(
            JSONObject(
                members: attachments.members.map { attachment in
                    guard let entry = attachment.value.objectValue else { return attachment }
                    return JSONObject.Member(
                        key: attachment.key, value: .object(entry.filter { !bookkeeping.contains(Name($0)) }))
                }))
        return .object(document)
    }

    private static let attachmentsName = "_attachments"
    private static let bookkeeping: Set<Name> = ["revpos", "stub", "ver"]
}
