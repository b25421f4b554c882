import NIOCore
import NIOPosix

/// Finds the local address to connect from.
enum NetworkInterface {
    /// - Parameter name: `eth0`, or an address that one of the interfaces has.
    static func address(of name: String) throws(TransportError) -> SocketAddress {
        let devices: [NIONetworkDevice]
        do {
            devices = try System.enumerateDevices()
        } catch {
            throw TransportError(.other, "The network interfaces cannot be listed: \(error).", underlying: error)
        }
        let candidates = devices.filter { $0.name == name || $0.address?.ipAddress == name }.compactMap(\.address)
        // An IPv6 address would be tried in vain for a server that has IPv4 only, which is the likelier of the two.
        let preferred = candidates.first { $0.protocol == .inet } ?? candidates.first { $0.protocol == .inet6 }
        guard var address = preferred else {
            let names = Set(devices.map(\.name)).sorted().joined(separator: ", ")
            throw TransportError(
                .unknownInterface, "There is no network interface '\(name)'.", hint: "This machine has \(names).")
        }
        address.port = 0
        return address
    }
}
