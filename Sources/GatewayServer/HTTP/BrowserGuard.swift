import DocumentValues
import GatewayCore
import HTTPTypes

/// Protects the admin and metrics ports from requests that a browser sends for a page of another host: the browser adds
/// its user's credentials by itself, and without a login, reaching the port is enough.
///
/// Three headers reveal such requests. `Origin` and `Sec-Fetch-Site` name pages of another origin. And a page whose own
/// host name was changed to point here (DNS rebinding) sends that name as `Host`. Programs send neither of the first
/// two, and use the port's address or a name of the configuration.
enum BrowserGuard {
    static func check(_ request: GatewayRequest, configuration: GatewayConfiguration) throws(GatewayError) {
        guard request.port != .publicAPI else { return }
        guard isOwn(request, configuration: configuration) else {
            throw GatewayError.unknownHost(atPort: request.port.name)
        }
        // If a header is sent twice, both values are here, separated by a comma.
        let site = request.header(.secFetchSite)
        let isElsewhere = site.map { !["none", "same-origin"].contains($0.lowercased()) } ?? false
        let (origin, host) = (request.header(.origin) ?? "", request.host ?? "")
        guard !isElsewhere, origin.isEmpty || PageOrigin.isOwn(origin, of: host) else {
            throw GatewayError.foreignPage(atPort: request.port.name)
        }
    }

    /// One host, which is an address, this machine's own name for itself, or a name from the configuration. A program with
    /// HTTP/1.0 need not name one.
    private static func isOwn(_ request: GatewayRequest, configuration: GatewayConfiguration) -> Bool {
        guard !request.headers.contains(.hostName) else { return false }
        guard let host = request.host else { return true }
        guard let name = HostHeader.name(in: host) else { return false }
        let hosts =
            configuration.adminHostNames + [configuration.adminInterface.host, configuration.metricsInterface.host]
        return HostName.isAddress(name) || name.isExactly("localhost")
            || hosts.contains { name.isExactly($0.lowercased()) }
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
