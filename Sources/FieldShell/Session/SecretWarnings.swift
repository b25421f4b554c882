import Foundation

/// Dangers for a passphrase or a password, reported before it is used.
public enum SecretWarnings {
    /// A file that others on the machine can read.
    public static func readable(_ path: String) -> String? {
        // A link's own permissions say nothing.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o044 != 0
        else { return nil }
        return "Warning: others on this machine can read \(path). Close it with: chmod 600 \(path)"
    }

    /// A connection without TLS that leaves this machine.
    public static func unprotected(_ gateway: URL) -> String? {
        guard gateway.scheme?.lowercased() == "ws", let host = gateway.host, !isLoopback(host) else { return nil }
        return "Warning: with ws:// everybody on the way to \(host) can read your password and your records. "
            + "Use wss:// where the gateway has it."
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
