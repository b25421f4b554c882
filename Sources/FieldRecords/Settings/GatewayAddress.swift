import DocumentValues
import Foundation

extension SettingsError {
    /// Reads an address as people write it: `http` and `https` count as `ws` and `wss`, and without a scheme it is
    /// `wss`. The database's name is the path.
    public static func gateway(_ text: String) throws(SettingsError) -> URL {
        var address = text.trimmingSpaces
        if !address.contains("://") { address = "wss://" + address }
        guard var parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.path.count > 1, parts.query == nil
        else { throw bad(text) }
        switch parts.scheme?.lowercased() {
        case "ws", "http": parts.scheme = "ws"
        case "wss", "https": parts.scheme = "wss"
        default: throw bad(text)
        }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        guard parts.path.count > 1, let url = parts.url else { throw bad(text) }
        return url
    }

    /// An address that is not understood may have a password in it anywhere before its last `@`, which no screen and no
    /// log is to show.
    private static func bad(_ text: String) -> SettingsError {
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return SettingsError(.badGateway(text), path: "")
        }
        let schemes = ["ws://", "wss://", "http://", "https://"]
        let scheme = schemes.first { text.trimmingSpaces.lowercased().utf8.starts(with: $0.utf8) } ?? ""
        return SettingsError(.secretInGateway(scheme + "…" + text[end...]), path: "")
    }
}
