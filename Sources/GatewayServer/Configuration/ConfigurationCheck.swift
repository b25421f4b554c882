import DocumentValues
import Glibc

/// Does the checks of a start, except opening ports; databases are read and not opened for writing.
package enum ConfigurationCheck {
    static func isLoopback(_ host: String) -> Bool {
        var address = in_addr()
        // Only an address counts: the owner of a host name that begins like one can let it point anywhere.
        if inet_pton(AF_INET, host, &address) == 1 { return host.utf8.starts(with: "127.".utf8) }
        return ["::1", "localhost"].contains { host.isExactly($0) }
    }

    static func isAdminPortOpen(_ configuration: GatewayConfiguration) -> Bool {
        !configuration.adminAuthentication && !isLoopback(configuration.adminInterface.host)
    }

    /// Without a login, every client that reaches the admin port can do everything: opening it to other machines needs
    /// an explicit setting.
    static func checkAdminPort(_ configuration: GatewayConfiguration) throws(ConfigurationError) {
        guard isAdminPortOpen(configuration), !configuration.allowsOpenAdmin else { return }
        throw ConfigurationError(
            "api.admin_interface_authentication",
            problem:
                "is false, and api.admin_interface listens on \(configuration.adminInterface.host) for other machines, too",
            hint: "Leave the login on, listen on 127.0.0.1, or set api.allow_open_admin_interface: true")
    }

    static func checkPorts(_ configuration: GatewayConfiguration) throws {
        let all = [
            ("public_interface", configuration.publicInterface), ("admin_interface", configuration.adminInterface),
            ("metrics_interface", configuration.metricsInterface),
        ]
        for (index, one) in all.enumerated() where one.1.port != 0 {
            for other in all[..<index] where other.1.port == one.1.port && overlap(other.1.host, and: one.1.host) {
                throw ConfigurationError(
                    "api", problem: "\(other.0) and \(one.0) both listen on port \(one.1.port)",
                    hint: "Give each its own")
            }
        }
    }

    /// Whether a port can only be opened on one of the two. `::` includes the addresses of IPv4.
    static func overlap(_ one: String, and other: String) -> Bool {
        let (one, other) = (canonical(one), canonical(other))
        if one == other || one == "::" || other == "::" { return true }
        return (one == "0.0.0.0" || other == "0.0.0.0") && !one.contains(":") && !other.contains(":")
    }

    static func canonical(_ host: String) -> String {
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return bare == "localhost" ? "127.0.0.1" : bare
    }
}
