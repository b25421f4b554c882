import Crypto
import DocumentValues
import Logging

/// Replaces what a log should not tell of people by pseudonyms: the same text has the same one for as long as the
/// process lives, so that a log can still be followed.
package struct Redaction: Sendable {
    /// Metadata that names people or what is theirs. Texts that a sync function makes up are among them.
    static let userKeys: Set<String> = ["user", "doc", "channel", "path", "detail"]
    /// Metadata that names machines and databases.
    static let systemKeys: Set<String> = ["db", "client", "issuer"]

    private let level: LoggingConfiguration.Redaction
    private let key = SymmetricKey(size: .bits256)

    package init(_ level: LoggingConfiguration.Redaction) { self.level = level }

    func apply(to metadata: Logger.Metadata) -> Logger.Metadata {
        guard level != .none else { return metadata }
        var result = metadata
        for (name, value) in metadata where isHidden(name) { result[name] = "\(pseudonym(of: "\(value)"))" }
        return result
    }

    private func isHidden(_ name: String) -> Bool {
        switch level {
        case .none: false
        case .partial: Self.userKeys.contains(name)
        case .full: Self.userKeys.contains(name) || Self.systemKeys.contains(name)
        }
    }

    private func pseudonym(of text: String) -> String {
        let digest = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return "<ud:" + Hexadecimal.encode(digest.prefix(4)) + ">"
    }
}
