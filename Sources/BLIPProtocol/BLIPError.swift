/// Why a BLIP connection cannot go on: the received bytes are not BLIP, are damaged, or are more than we accept.
///
/// The running checksum and the shared compression make every such error final: the connection must be closed.
public struct BLIPError: Error, Sendable, Hashable, CustomStringConvertible {
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        enum Value: String, Sendable, Hashable {
            case frameTooShort
            case badVarint
            case frameTooLarge
            case badChecksum
            case badCompression
            case inflatedFrameTooLarge
            case unknownFrameType
            case unexpectedNumber
            case badProperties
            case messageTooLarge
            case tooManyMessages
            case queueFull
            case sourceFailed
            case compressionFailed
        }

        let value: Value

        public static let frameTooShort = Code(value: .frameTooShort)
        public static let badVarint = Code(value: .badVarint)
        public static let frameTooLarge = Code(value: .frameTooLarge)
        public static let badChecksum = Code(value: .badChecksum)
        public static let badCompression = Code(value: .badCompression)
        public static let inflatedFrameTooLarge = Code(value: .inflatedFrameTooLarge)
        public static let unknownFrameType = Code(value: .unknownFrameType)
        /// A request number that is not the next one, or a reply to a request that was never sent.
        public static let unexpectedNumber = Code(value: .unexpectedNumber)
        public static let badProperties = Code(value: .badProperties)
        public static let messageTooLarge = Code(value: .messageTooLarge)
        public static let tooManyMessages = Code(value: .tooManyMessages)
        /// More bytes were queued than may wait to be sent.
        public static let queueFull = Code(value: .queueFull)
        /// A body source threw, or did not have the announced length, after a part of it had already been sent.
        public static let sourceFailed = Code(value: .sourceFailed)
        public static let compressionFailed = Code(value: .compressionFailed)

        public var description: String { value.rawValue }
    }

    public var code: Code
    /// The details, with numbers; never content.
    public var detail: String
    /// The message concerned, when known.
    public var messageNumber: UInt32?

    public init(_ code: Code, detail: String, messageNumber: UInt32? = nil) {
        self.code = code
        self.detail = detail
        self.messageNumber = messageNumber
    }

    public var description: String {
        "BLIP \(code): \(detail)" + (messageNumber.map { " (message \($0))" } ?? "")
    }
}
