import GatewayCore
import NIOCore

/// Bounds of what the ports accept.
enum GatewayServerLimits {
    /// Bytes of a request's body: a document, and room for what stands around it in `_bulk_docs`.
    static let body = GatewayLimits.documentSize + (1 << 20)
    /// Bytes of a document that comes with its attachments behind it.
    static let multipartBody = 5 * GatewayLimits.attachmentSize
    /// Connections of one port; beyond it new ones wait in the system's queue.
    static let connections = 20_000
    /// Requests that are answered at the same time, waiting feeds among them; beyond it 503.
    static let requestsInFlight = 20_000
    /// How long a connection may stay silent between requests, or in the middle of one.
    static let silence = TimeAmount.seconds(60)
    /// Between two looks at the files of the certificate.
    static let certificateInterval = Duration.seconds(10)
    /// Rows of a changes feed that are read at once.
    static let feedPage = 500
    /// An attachment up to this many bytes stands inside the document's JSON; larger ones follow as parts.
    static let inlineAttachment = 200
}
