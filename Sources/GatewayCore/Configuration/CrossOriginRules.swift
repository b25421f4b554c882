import DocumentValues

/// Which web pages may talk to a database (CORS).
package struct CrossOriginRules: Sendable, Hashable {
    package static let members: Set<Name> = ["origin", "login_origin", "headers", "max_age"]
    /// Seconds; browsers cap it far below.
    package static let longestAge = 365 * 86_400

    package let origins: [String]
    package let loginOrigins: [String]
    package let headers: [String]
    /// Seconds for which a browser may remember the answer to a preflight request.
    package let maxAge: Int

    package init(origins: [String] = [], loginOrigins: [String] = [], headers: [String] = [], maxAge: Int = 0) {
        self.origins = origins
        self.loginOrigins = loginOrigins
        self.headers = headers
        self.maxAge = maxAge
    }

    /// `nil` where a database's configuration has none.
    init?(_ json: JSONValue?) throws(GatewayError) {
        guard let json = json?.objectValue else { return nil }
        for key in json.keys where !Self.members.contains(Name(key)) {
            throw GatewayError.invalidConfiguration("cors: unknown member \"\(key)\"")
        }
        let given = json["max_age"] ?? .null
        guard let age = given.isNull ? 0 : given.integerValue, (0...Int64(Self.longestAge)).contains(age) else {
            throw GatewayError.invalidConfiguration("cors: max_age must be from 0 to \(Self.longestAge) seconds")
        }
        self.init(
            origins: try Self.texts("origin", in: json), loginOrigins: try Self.texts("login_origin", in: json),
            headers: try Self.texts("headers", in: json), maxAge: Int(age))
    }

    private static func texts(_ key: String, in json: JSONObject) throws(GatewayError) -> [String] {
        guard let value = json[key], value != .null else { return [] }
        let list = value.arrayValue ?? []
        let texts = list.compactMap(\.stringValue)
        guard value.arrayValue != nil, texts.count == list.count else {
            throw GatewayError.invalidConfiguration("cors: \(key) must be a list of texts")
        }
        return texts
    }

    /// The answer to a page of this origin: the origin itself, `*`, or `nil` if it is not allowed.
    package func match(_ origin: String) -> String? { Self.match(origin, among: origins) }

    /// The same for signing in and out.
    package func matchLogin(_ origin: String) -> String? { Self.match(origin, among: loginOrigins) }

    private static func match(_ origin: String, among known: [String]) -> String? {
        known.contains(origin) ? origin : known.contains("*") ? "*" : nil
    }
}
