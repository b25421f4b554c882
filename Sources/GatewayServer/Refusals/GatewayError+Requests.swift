import GatewayCore

/// Requests as HTTP has them: paths, headers, origins, bodies, and how many there may be.
extension GatewayError {
    static let unknownURL = GatewayError(404, reason: "unknown URL")
    static let otherMethod = GatewayError(405, reason: "")
    static let unsatisfiableRange = GatewayError(416, reason: "")
    static func invalidURL(_ part: String) -> GatewayError {
        GatewayError(400, reason: "invalid URL: non UTF-8 encoding in the \(part)")
    }
    static let invalidEscape = GatewayError(400, reason: "invalid URL escape in the path")
    static func invalidDatabaseName(_ name: String) -> GatewayError {
        GatewayError(400, reason: "invalid database name \"\(name)\"")
    }
    static func unknownKeyspaceFormat(_ text: String) -> GatewayError {
        GatewayError(400, reason: "unknown keyspace format: \"\(text)\" - expected 1-3 fields")
    }
    static func emptyKeyspaceField(_ text: String) -> GatewayError {
        GatewayError(400, reason: "keyspace fields cannot be empty: \"\(text)\"")
    }
    static func unknownHost(atPort port: String) -> GatewayError {
        GatewayError(403, reason: "The \(port) port does not answer to this Host; add its name to api.admin_host_names")
    }
    static func foreignPage(atPort port: String) -> GatewayError {
        GatewayError(403, reason: "The \(port) port answers no pages of other origins")
    }
    static let foreignLogin = GatewayError(400, reason: "No CORS")
    static let foreignOrigin = GatewayError(403, reason: "The page's origin is not allowed here")
    static let unknownExpectation = GatewayError(417, reason: "Only 100-continue can be expected")
    static func invalidContentType(_ type: String) -> GatewayError {
        GatewayError(415, reason: "Invalid content type \(type)")
    }
    static func unexpectedContentType(_ type: String, expected: String) -> GatewayError {
        GatewayError(415, reason: "Invalid content type \(type) - expected \(expected)")
    }
    static let unsupportedEncoding = GatewayError(415, reason: "Unsupported Content-Encoding; use gzip")
    static let invalidGzip = GatewayError(400, reason: "gzip: invalid header")
    static let unacceptableJSON = GatewayError(406, reason: "only application/json available")
    static let unacceptableMultipart = GatewayError(406, reason: "Response is multipart")
    static func slowBody(under bytes: Int, inSeconds seconds: Int64) -> GatewayError {
        GatewayError(408, reason: "The body comes too slowly: less than \(bytes) bytes in \(seconds) s")
    }
    static let unfinishedBody = GatewayError(400, reason: "The request's body ended too early")
    static let tooManyBodyValues = GatewayError(
        413, reason: "The body has more than \(GatewayServerLimits.bodyValues) members and elements")
    static let tooManyRows = GatewayError(413, reason: "More than \(GatewayServerLimits.bulkRows) rows in one request")
    static func tooManyFailedLogins(secondsLeft seconds: Int64) -> GatewayError {
        GatewayError(429, reason: "Too many failed logins; try again in \(seconds) s")
    }
    static let refusalHasPassed = GatewayError(
        503, reason: "This WebSocket was refused for a reason that has passed since then; open another connection")
    static let tooManyReplications = GatewayError(503, reason: "Replication limit exceeded. Try again later.")
    static func tooMany(_ things: String) -> GatewayError {
        GatewayError(503, reason: "Too many \(things) at once; try again later")
    }
    static func tooMany(_ things: String, ofOne owner: String) -> GatewayError {
        GatewayError(503, reason: "Too many \(things) of one \(owner) at once; try again later")
    }
}
