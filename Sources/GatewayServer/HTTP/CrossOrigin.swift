import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// The answers to requests that a browser sends for a page of another host. For the public port only: pages may not use
/// the others.
struct CrossOrigin {
    private let rules: CrossOriginRules
    private let origin: PageOrigin

    /// `nil` for a request that was not sent by a page, or by one of the gateway's own host.
    init?(_ request: GatewayRequest, gateway: GatewayContext) {
        // Most requests are those of programs, which name no origin: the other headers are not looked for.
        guard request.port == .publicAPI, let named = request.header(.origin),
            let origin = PageOrigin(Self.headers(of: request, from: named))
        else { return nil }
        self.origin = origin
        rules = Self.rules(for: request, gateway)
    }

    private static func headers(of request: GatewayRequest, from origin: String) -> PageOrigin.Headers {
        PageOrigin.Headers(
            origin: origin, host: request.host, fetchSite: request.header(.secFetchSite),
            authorization: request.header(.authorization), cookie: request.header(.cookie))
    }

    private static func rules(for request: GatewayRequest, _ gateway: GatewayContext) -> CrossOriginRules {
        let keyspace = request.components.first.map { GatewayRequest.decoded($0) } ?? ""
        let database = keyspace.split(atByte: ".").first.flatMap { gateway.databases.database(String($0)) }
        return database?.crossOriginRules ?? gateway.configuration.crossOrigin
    }

    /// A page that the rules do not name may neither sign in nor out, nor change anything as the browser's user. It
    /// could do so without reading the answer, and the browser does not ask first for every request.
    func check(_ request: GatewayRequest) throws(GatewayError) {
        let isLogin =
            request.components.count == 2 && request.components[1] == "_session"
            && (request.method == .post || request.method == .delete)
        if isLogin, rules.matchLogin(origin.text) == nil { throw GatewayError.foreignLogin }
        guard !Self.isReading(request), !isLogin, origin.hasBrowserLogin, rules.match(origin.text) == nil else {
            return
        }
        throw GatewayError.foreignOrigin
    }

    /// Whether the request changes nothing, although it may be a `POST`; a page that is not named cannot read the
    /// answer.
    private static func isReading(_ request: GatewayRequest) -> Bool {
        if [.get, .head, .options].contains(request.method) { return true }
        return request.method == .post && request.components.count == 2
            && readingPosts.contains { request.components[1].utf8.elementsEqual($0.utf8) }
    }

    private static let readingPosts = ["_all_docs", "_bulk_get", "_changes", "_revs_diff"]

    /// A page that the rules do not name may not open a WebSocket, whatever cookies its browser has: the browser lets
    /// the page read its messages, unlike other answers. For the other ports, `BrowserGuard` checks that.
    static func checkWebSocket(_ request: GatewayRequest, gateway: GatewayContext) throws(GatewayError) {
        guard let cross = CrossOrigin(request, gateway: gateway), cross.rules.match(cross.origin.text) == nil else {
            return
        }
        throw GatewayError.foreignOrigin
    }

    func add(to response: inout Response, of method: HTTPRequest.Method) {
        response.headers[.vary] = "Origin"
        guard let match = rules.match(origin.text) else { return }
        response.headers[.accessControlAllowOrigin] = match
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlAllowHeaders] = rules.headers.joined(separator: ", ")
        guard method == .options else { return }
        if rules.maxAge > 0 { response.headers[.accessControlMaxAge] = "\(rules.maxAge)" }
        response.headers[.accessControlAllowMethods] = response.headers[.allow]
    }
}
