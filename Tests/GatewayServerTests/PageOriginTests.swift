import Testing

@testable import GatewayServer

/// Which requests come from a page of another host, and which of them have what a browser adds by itself.
@Suite struct PageOriginTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let origin: String?
        let host: String?
        var fetchSite: String?
        let isForeign: Bool

        var testDescription: String { "\(origin ?? "-") at \(host ?? "-") \(fetchSite ?? "")" }

        init(_ origin: String?, at host: String?, site: String? = nil, isForeign: Bool) {
            self.origin = origin
            self.host = host
            fetchSite = site
            self.isForeign = isForeign
        }
    }

    static let rows = [
        // Stock clients and programs name no origin, whatever else they send.
        Row(nil, at: "sync.example", isForeign: false),
        Row(nil, at: nil, isForeign: false),
        Row("", at: "sync.example", isForeign: false),
        Row(nil, at: "sync.example", site: "cross-site", isForeign: false),
        // The host's own pages.
        Row("https://sync.example", at: "sync.example", isForeign: false),
        Row("https://Sync.Example", at: "sync.example", isForeign: false),
        Row("https://sync.example", at: "SYNC.example:443", isForeign: false),
        Row("https://sync.example:443", at: "sync.example", isForeign: false),
        Row("http://sync.example", at: "sync.example:80", isForeign: false),
        Row("http://sync.example:4984", at: "sync.example:4984", isForeign: false),
        Row("http://[::1]:4984", at: "[::1]:4984", isForeign: false),
        // A proxy that does not keep the host.
        Row("https://sync.example", at: "10.0.0.5:4984", site: "same-origin", isForeign: false),
        Row("https://sync.example", at: nil, site: "same-origin", isForeign: false),
        // Others.
        Row("https://sync.example", at: "10.0.0.5:4984", isForeign: true),
        Row("https://app.sync.example", at: "sync.example", site: "same-site", isForeign: true),
        Row("https://evil.example", at: "sync.example", site: "cross-site", isForeign: true),
        Row("https://evil.example", at: "sync.example", site: "none", isForeign: true),
        Row("https://evil.example", at: nil, isForeign: true),
        Row("null", at: "sync.example", isForeign: true),
        Row("null", at: "null", isForeign: true),
        Row("https://sync.example:8443", at: "sync.example", isForeign: true),
        Row("http://sync.example:443", at: "sync.example", isForeign: true),
        Row("https://sync.example:80", at: "sync.example", isForeign: true),
        Row("https://evil.example/sync.example", at: "sync.example", isForeign: true),
        Row("https://sync.example.evil.example", at: "sync.example", isForeign: true),
        Row("file://sync.example", at: "sync.example", isForeign: true),
    ]

    @Test(arguments: rows) func pagesOfOthersAreKnown(row: Row) {
        let origin = PageOrigin(.init(origin: row.origin, host: row.host, fetchSite: row.fetchSite))
        #expect((origin != nil) == row.isForeign)
        #expect(origin == nil || origin?.text == row.origin)
    }

    @Test(arguments: [
        (String?.none, String?.none, false), (nil, "SyncGatewaySession=x", true), ("Basic YWxpY2U6cGFzcw==", nil, true),
        ("Basic YWxpY2U6cGFzcw==", "a=b", true), ("Basic Og==", "a=b", true), ("Basic Og==", nil, true),
        ("Negotiate x", "a=b", true), ("", "a=b", true), ("Bearer", "a=b", true), ("Bearer x.y.z", nil, false),
        ("bearer x.y.z", "a=b", false),
    ])
    func whatABrowserAddsIsKnown(authorization: String?, cookie: String?, isBrowsers: Bool) {
        let headers = PageOrigin.Headers(
            origin: "https://evil.example", host: "sync.example", authorization: authorization, cookie: cookie)
        #expect(PageOrigin(headers)?.hasBrowserLogin == isBrowsers)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("127.5.6.7", false), ("::1", false), ("localhost", false), ("127.evil.example", true),
        ("127.0.0.1.evil.example", true), ("127.", true), ("0.0.0.0", true), ("10.127.0.0", true),
    ])
    func onlyAddressesOfThisMachineNeedNoLogin(host: String, isRefused: Bool) {
        var configuration = GatewayConfiguration(storagePath: "unused")
        configuration.adminAuthentication = false
        configuration.adminInterface.host = host
        let isTaken = (try? ConfigurationCheck.checkAdminPort(configuration)) != nil
        #expect(isTaken != isRefused)
    }
}
