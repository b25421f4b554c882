import DocumentValues

/// The bytes of an attachment on their way in: small ones in memory, large ones in a file without a name.
package enum AttachmentContent: Sendable {
    case bytes([UInt8])
    case file(StagedFile)

    package var length: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.length
        }
    }
}
