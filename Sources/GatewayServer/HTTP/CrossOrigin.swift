import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// What is answered to requests that a browser sends on behalf of a page from elsewhere. The public port only: no page
/// has any business at the others.
struct CrossOrigin {
    private let rules: CrossOriginRules
    private let origin: String

    /// `nil` for a request that no page sent, or one of the gateway's own host.
    init?(_ request: GatewayRequest, _ gateway: GatewayContext) {
        guard request.port == .publicAPI, let origin = Self.foreignOrigin(of: request) else { return nil }
        self.origin = origin
        rules = Self.rules(for: request, gateway)
    }

    private static func foreignOrigin(of request: GatewayRequest) -> String? {
        guard let origin = request.header(.origin), !origin.isEmpty,
            request.host.map({ origin.split(atByte: "/").last?.utf8.elementsEqual($0.utf8) == true }) != true
        else { return nil }
        return origin
    }

    private static func rules(for request: GatewayRequest, _ gateway: GatewayContext) -> CrossOriginRules {
        let keyspace = request.components.first.map { GatewayRequest.decoded($0) } ?? ""
        let database = keyspace.split(atByte: ".").first.flatMap { gateway.databases.database(String($0)) }
        return database?.crossOriginRules ?? gateway.configuration.crossOrigin
    }

    /// A page that the rules do not name neither signs in nor out, and changes nothing in the name of whom the browser
    /// knows: it need not be able to read the answer for that, and the browser does not ask first for every request.
    func check(_ request: GatewayRequest) throws(GatewayError) {
        let isLogin =
            request.components.count == 2 && request.components[1] == "_session"
            && (request.method == .post || request.method == .delete)
        if isLogin, rules.matchLogin(origin) == nil { throw GatewayError(400, "No CORS") }
        let isReading = [.get, .head, .options].contains(request.method)
        guard !isReading, !isLogin, Self.comesWithBrowserLogin(request), rules.match(origin) == nil else { return }
        throw Self.notAllowed
    }

    /// Whether there are credentials that a browser adds by itself: cookies, and a password that it was once asked for.
    /// Only browsers say where a page is from in `Sec-Fetch-Site`; a program with a password may send any `Origin`.
    private static func comesWithBrowserLogin(_ request: GatewayRequest) -> Bool {
        if Login.basicCredentials(request.header(.authorization)) != nil {
            return request.header(.secFetchSite) != nil
        }
        return request.header(.authorization) == nil && request.header(.cookie) != nil
    }

    private static var notAllowed: GatewayError { GatewayError(403, "The page's origin is not allowed here") }

    /// A page that the rules do not name opens no WebSocket, whatever cookies its browser has: what comes over one is
    /// not kept from the page as other answers are. What comes to the other ports `BrowserGuard` looks at.
    static func checkWebSocket(_ request: GatewayRequest, _ gateway: GatewayContext) throws(GatewayError) {
        guard let cross = CrossOrigin(request, gateway), cross.rules.match(cross.origin) == nil else { return }
        throw notAllowed
    }

    func add(to response: inout Response, of method: HTTPRequest.Method) {
        response.headers[.vary] = "Origin"
        guard let match = rules.match(origin) else { return }
        response.headers[.accessControlAllowOrigin] = match
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlAllowHeaders] = rules.headers.joined(separator: ", ")
        guard method == .options else { return }
        if rules.maxAge > 0 { response.headers[.accessControlMaxAge] = "\(rules.maxAge)" }
        response.headers[.accessControlAllowMethods] = response.headers[.allow]
    }
}
