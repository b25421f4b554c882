/// What stands behind the digest of an attachment that a document to be stored only names.
package enum AttachmentContent: Sendable {
    case bytes([UInt8])
    /// The document has the bytes already, and the writer has shown to have them as well.
    case proved
}
