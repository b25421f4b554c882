import DocumentValues

/// Recorded REST exchanges, from `Fixtures/<name>.json` (`rest-05-documents`).
public struct RESTRecording: Sendable {
    /// The exchanges with one version of the gateway.
    public struct Server: Sendable {
        /// `Sync Gateway 3.3.7 (rosmar)`
        public let name: String
        public let setup: [JSONValue]
        /// In order; citations count from 1.
        public let exchanges: [RESTExchange]
    }

    public let name: String
    public let scenario: String
    public let servers: [Server]

    public static func names() throws -> [String] { try Fixtures.names(withSuffix: ".json") }

    public static func load(_ name: String) throws -> RESTRecording {
        let file = try JSONObject(parsing: try Fixtures.bytes(of: "\(name).json"))
        let servers = try file.object("servers").members.map { member in
            let exchanges = member.value["exchanges"]?.arrayValue ?? []
            return Server(
                name: member.key, setup: member.value["setup"]?.arrayValue ?? [],
                exchanges: try exchanges.compactMap(\.objectValue).map(RESTExchange.init))
        }
        return RESTRecording(name: name, scenario: try file.string("scenario"), servers: servers)
    }

    public func server(_ version: String) throws -> Server {
        guard let server = servers.first(where: { $0.name.contains(version) }) else {
            throw TranscriptError("\(name) has no server \(version)")
        }
        return server
    }
}

/// One REST request with its answer.
public struct RESTExchange: Sendable {
    public let port: String
    public let method: String
    public let path: String
    /// `name:password`
    public let auth: String?
    public let headers: [(name: String, value: String)]
    public let body: JSONValue?
    /// The exact body, if it is not the compact form of the JSON.
    public let bodyText: String?
    public let status: Int
    public let responseHeaders: [(name: String, value: String)]
    public let response: JSONValue?
    public let responseText: String?
    /// Everything that was recorded, `lines`, `note` and the like included.
    public let raw: JSONObject

    init(_ object: JSONObject) throws {
        port = try object.string("port")
        method = try object.string("method")
        path = try object.string("path")
        auth = object["auth"]?.stringValue
        headers = Self.headers(object["headers"])
        body = object["body"]
        bodyText = object["bodyText"]?.stringValue
        status = try object.integer("status")
        responseHeaders = Self.headers(object["responseHeaders"])
        response = object["response"]
        responseText = object["responseText"]?.stringValue
        raw = object
    }

    private static func headers(_ value: JSONValue?) -> [(name: String, value: String)] {
        (value?.objectValue?.members ?? []).map { ($0.key, $0.value.stringValue ?? $0.value.description) }
    }
}
