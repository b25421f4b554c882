import DocumentValues

/// Which way something went.
public enum TranscriptDirection: String, Sendable, Hashable {
    case toServer = ">"
    case toClient = "<"
}

/// One line of a recording.
public struct TranscriptRecord: Sendable {
    public enum Content: Sendable {
        case httpRequest(TranscriptHTTPRequest)
        case httpResponse(TranscriptHTTPResponse)
        case frame(TranscriptFrame)
        case ping(TranscriptDirection)
        case pong(TranscriptDirection)
        case close(TranscriptDirection, code: UInt16, reason: String)
        /// `how` is FIN or RST.
        case tcpEnd(TranscriptDirection, how: String)
        /// A call of the gateway's REST API during the recording, with its answer.
        case rest(TranscriptRESTCall)
        case clientStart(client: String, arguments: [String])
        case clientEdit(client: String, command: String)
        /// What the client reported: STATUS, DOC, CONFLICT, RESULT, DUMP …
        case client(client: String, line: String)
        case clientExit(client: String, code: Int)
        case note(String)
    }

    /// The number `n` in citations.
    public let number: Int
    /// Milliseconds since the start.
    public let time: Double
    public let connection: Int?
    public let content: Content

    init(_ line: JSONObject) throws {
        number = try line.integer("n")
        time = line["t"]?.doubleValue ?? 0
        connection = line["conn"]?.integerValue.map(Int.init)
        content = try Content(line)
    }
}

extension TranscriptRecord.Content {
    fileprivate init(_ line: JSONObject) throws {
        switch try line.string("kind") {
        case "http-request": self = .httpRequest(try TranscriptHTTPRequest(line))
        case "http-response": self = .httpResponse(try TranscriptHTTPResponse(line))
        case "frame": self = .frame(try TranscriptFrame(line))
        case "ws-ping": self = .ping(try line.direction())
        case "ws-pong": self = .pong(try line.direction())
        case "ws-close":
            let code = UInt16(try line.integer("code"))
            self = .close(try line.direction(), code: code, reason: try line.string("reason"))
        case "tcp-end": self = .tcpEnd(try line.direction(), how: try line.string("how"))
        case "rest": self = .rest(try TranscriptRESTCall(line))
        case "client-start":
            let arguments = line["arguments"]?.arrayValue?.compactMap(\.stringValue) ?? []
            self = .clientStart(client: try line.string("client"), arguments: arguments)
        case "client-edit": self = .clientEdit(client: try line.string("client"), command: try line.string("command"))
        case "client": self = .client(client: try line.string("client"), line: try line.string("line"))
        case "client-exit": self = .clientExit(client: try line.string("client"), code: try line.integer("code"))
        case "note": self = .note(try line.string("text"))
        case let kind: throw TranscriptError("unknown kind of record '\(kind)'")
        }
    }
}

/// The client's handshake.
public struct TranscriptHTTPRequest: Sendable {
    public let connection: Int
    /// `GET /db/_blipsync HTTP/1.1`
    public let requestLine: String
    public let headers: [(name: String, value: String)]

    init(_ line: JSONObject) throws {
        connection = try line.integer("conn")
        requestLine = try line.string("request")
        headers = line.headers()
    }
}

/// The gateway's answer to the handshake.
public struct TranscriptHTTPResponse: Sendable {
    public let connection: Int
    public let status: Int
    public let headers: [(name: String, value: String)]
    /// Of a refusal.
    public let body: String?

    init(_ line: JSONObject) throws {
        connection = try line.integer("conn")
        status = try line.integer("status")
        headers = line.headers()
        body = line["bodyText"]?.stringValue
    }
}

/// A REST call and its answer.
public struct TranscriptRESTCall: Sendable {
    /// `public` or `admin`.
    public let port: String
    public let method: String
    public let path: String
    public let body: JSONValue?
    public let status: Int
    public let response: JSONValue?

    init(_ line: JSONObject) throws {
        port = try line.string("port")
        method = try line.string("method")
        path = try line.string("path")
        body = line["body"]
        status = try line.integer("status")
        response = line["response"]
    }
}

extension JSONObject {
    func string(_ key: String) throws -> String {
        guard let string = self[key]?.stringValue else { throw TranscriptError("'\(key)' is missing or no text") }
        return string
    }

    func integer(_ key: String) throws -> Int {
        guard let integer = self[key]?.integerValue else { throw TranscriptError("'\(key)' is missing or no integer") }
        return Int(integer)
    }

    func object(_ key: String) throws -> JSONObject {
        guard let object = self[key]?.objectValue else { throw TranscriptError("'\(key)' is missing or no object") }
        return object
    }

    func flag(_ key: String) -> Bool { self[key]?.boolValue ?? false }

    func direction() throws -> TranscriptDirection {
        guard let direction = TranscriptDirection(rawValue: try string("dir")) else {
            throw TranscriptError("'dir' is neither > nor <")
        }
        return direction
    }

    func headers() -> [(name: String, value: String)] {
        (self["headers"]?.arrayValue ?? []).map { ($0[0]?.stringValue ?? "", $0[1]?.stringValue ?? "") }
    }
}
