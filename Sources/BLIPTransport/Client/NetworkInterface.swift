import NIOCore
import NIOPosix

/// Finds the local addresses to connect from.
enum NetworkInterface {
    /// One address of each family that the interface has; IPv4 first, since most servers have that.
    ///
    /// - Parameter name: `eth0`, or an address that one of the interfaces has.
    static func addresses(of name: String) throws(TransportError) -> [SocketAddress] {
        let devices: [NIONetworkDevice]
        do {
            devices = try System.enumerateDevices()
        } catch {
            throw TransportError(
                .other, message: "The network interfaces cannot be listed: \(error).", underlying: error)
        }
        let matching = devices.filter { $0.name == name || $0.address?.ipAddress == name }
        guard !matching.isEmpty else {
            let names = Set(devices.map(\.name)).sorted().joined(separator: ", ")
            throw TransportError(
                .unknownInterface, message: "There is no network interface '\(name)'.",
                hint: "This machine has \(names).")
        }
        return choice(of: matching.compactMap(\.address))
    }

    /// The addresses of one interface that are to be tried.
    static func choice(of addresses: [SocketAddress]) -> [SocketAddress] {
        let six = addresses.filter { $0.protocol == .inet6 }
        // A link-local address only reaches hosts on the same link.
        let chosen = [addresses.first { $0.protocol == .inet }, six.first { !isOfLink($0) } ?? six.first]
        return chosen.compactMap { address in
            var address = address
            address?.port = 0
            return address
        }
    }

    private static func isOfLink(_ address: SocketAddress) -> Bool {
        address.ipAddress?.lowercased().hasPrefix("fe80:") ?? false
    }
}
