import GatewayCore
import HTTPTypes

/// Keeps the admin and metrics ports from what a browser sends for a page from elsewhere: it adds what it knows of its
/// user by itself, and without a login reaching the port is enough.
///
/// Three things give such requests away. Pages of another origin are named in `Origin` and `Sec-Fetch-Site`; and a page
/// whose own name was made to lead here (DNS rebinding) sends that name as `Host`. Programs send none of the first two,
/// and reach the port by its address or a name that the configuration has.
struct BrowserGuard {
    private let hosts: [String]

    init(_ configuration: GatewayConfiguration) {
        hosts =
            configuration.adminHostNames
            + [configuration.adminInterface.host, configuration.metricsInterface.host]
    }

    func check(_ request: GatewayRequest) throws(GatewayError) {
        guard request.port != .publicAPI else { return }
        if let host = request.host, !isOwn(host) {
            throw GatewayError(
                403,
                reason: "The \(request.port.name) port is not known by this Host; add its name to api.admin_host_names")
        }
        let site = request.header(.secFetchSite)
        let (origin, host) = (request.header(.origin) ?? "", request.host ?? "")
        guard site != "cross-site", site != "same-site", origin.isEmpty || PageOrigin.isOwn(origin, of: host) else {
            throw GatewayError(403, reason: "The \(request.port.name) port answers no page from elsewhere")
        }
    }

    /// An address, this machine's own name for itself, or a name from the configuration.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.withoutPort(Array(host.utf8))
        if name.first == UInt8(ascii: "[") || Self.isAddress(name) { return true }
        let known = hosts.map { Self.lowercased(Array($0.utf8)) } + [Array("localhost".utf8)]
        return known.contains(Self.lowercased(name))
    }

    private static func withoutPort(_ host: [UInt8]) -> [UInt8] {
        guard host.first != UInt8(ascii: "["), let colon = host.lastIndex(of: UInt8(ascii: ":")) else { return host }
        return Array(host[..<colon])
    }

    /// Four numbers. No name of the network's ends with a number, so that nobody else can own one.
    private static func isAddress(_ name: [UInt8]) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    private static func lowercased(_ name: [UInt8]) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
