import Crypto
import DocumentValues
import Logging

/// Marks personal data in a log, as Sync Gateway does (`<ud>mara</ud>`), so that a tool can remove them before the log
/// is passed on. Or hides them from the beginning by pseudonyms: the same text has the same pseudonym as long as the
/// process runs, so that the log can still be followed.
package struct Redaction: Sendable {
    /// Metadata with names of people or of their data. Texts that a sync function makes are among them, and a client's
    /// program (`agent`), which contains the name of a person's laptop.
    static let userKeys: Set<String> = ["user", "doc", "channel", "path", "detail", "agent"]
    /// Metadata that names machines and databases.
    static let systemKeys: Set<String> = ["db", "client", "issuer", "keyspace", "database", "collections"]

    /// The owner of the data, by the name of the mark.
    private enum Owner: String { case user = "ud", system = "sd" }

    private let level: LoggingConfiguration.Redaction
    private let key = SymmetricKey(size: .bits256)

    package init(_ level: LoggingConfiguration.Redaction) { self.level = level }

    func apply(to metadata: Logger.Metadata) -> Logger.Metadata {
        guard level != .none else { return metadata }
        var result = metadata
        for (name, value) in metadata {
            guard let owner = owner(of: name) else { continue }
            result[name] = "\(level == .hidden ? pseudonym(of: "\(value)", owner) : marked("\(value)", of: owner))"
        }
        return result
    }

    private func owner(of name: String) -> Owner? {
        if Self.userKeys.contains(name) { return level == .none ? nil : .user }
        guard Self.systemKeys.contains(name) else { return nil }
        switch level {
        case .none, .partial: return nil
        case .full, .hidden: return .system
        }
    }

    /// The marked text must not contain the end of its mark.
    private func marked(_ text: String, of owner: Owner) -> String {
        var inside = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { inside.append(scalar == "<" ? "\u{2039}" : scalar) }
        return "<\(owner.rawValue)>\(String(inside))</\(owner.rawValue)>"
    }

    private func pseudonym(of text: String, _ owner: Owner) -> String {
        let digest = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
        return "<\(owner.rawValue):" + Hexadecimal.encode(digest.prefix(4)) + ">"
    }
}
