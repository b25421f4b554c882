/// Why something could not be sealed, opened or derived. It never says anything about keys or contents.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        /// The data was not sealed with this key, or has been changed since.
        case authenticationFailed
        /// The sealed stream ends before its final chunk.
        case truncated
        /// There is data after the final chunk.
        case trailingData
        /// Argon2id could not get the memory it needs.
        case outOfMemory
        /// A parameter has a size or a value that the algorithm does not accept.
        case invalidParameter
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }

    public var description: String {
        switch code {
        case .authenticationFailed: "the data was sealed with another key, or it has been changed"
        case .truncated: "the sealed data is incomplete"
        case .trailingData: "there is unexpected data after the end of the sealed data"
        case .outOfMemory: "there is not enough memory to derive the key"
        case .invalidParameter: "a cryptographic parameter is out of range"
        }
    }
}
