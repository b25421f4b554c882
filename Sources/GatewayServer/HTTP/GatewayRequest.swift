import BLIPTransport
import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import SyncFunction

/// The port at which a request has arrived.
package enum GatewayPort: Sendable, Hashable {
    case publicAPI, admin, metrics

    package var name: String {
        switch self {
        case .publicAPI: "public"
        case .admin: "admin"
        case .metrics: "metrics"
        }
    }
}

/// The parts of a request: path, query, headers; the body is read when a handler needs it.
struct GatewayRequest: Sendable {
    let port: GatewayPort
    let method: HTTPRequest.Method
    /// The path as written, without the query.
    let path: String
    /// Path components between slashes, as written; `decoded` gives their text.
    let components: [Substring]
    let hasTrailingSlash: Bool
    let query: [Name: String]
    let headers: HTTPFields
    /// The host name and port to which the client has sent the request; forwarded ones are among the headers.
    let host: String?
    /// The client's address, see `ClientAddress`.
    let client: String
    /// The account of that address.
    let account: Name
    /// Of the same request as a handshake; `nil` if it was none that was refused.
    var handshake: HandshakeRefusals.Outcome?
    /// `nil` for a handshake, which counts as a connection.
    var inFlight: InFlightRequestToken?
    /// `nil` before the sign-in.
    var authorization: RequestAuthorization?
    /// Counts the memory for the body.
    let load: RequestLoad
    /// The query as written.
    private let queryText: Substring
    private let content: Content

    private struct Content: Sendable {
        let body: RequestBody
        /// Lets a client send its body, if it has asked first (`Expect: 100-continue`).
        let invitation: (@Sendable () -> Void)?
        /// `nil` for a request whose body is not read.
        let client: ClientPresence?
    }

    init(_ request: Request, port: GatewayPort, connection: ConnectionContext, gateway: GatewayContext) {
        var invitation: (@Sendable () -> Void)?
        if let expectation = request.headers[.expect], Self.asksFirst(expectation) {
            let channel = connection.channel
            invitation = { channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil) }
        }
        let (known, headers) = (connection.connection, request.headers)
        let client = gateway.configuration.client(of: known, forwarded: headers[values: .forwardedFor], port: port)
        let account = client == known.address ? known.account : GatewayContext.account(ofAddress: client)
        self.init(
            port: port, method: request.method, target: request.head.path ?? "/", headers: headers,
            host: request.head.authority, client: client,
            content: Content(body: request.body, invitation: invitation, client: known.client),
            load: RequestLoad(gateway.memory, account: account))
    }

    /// A request whose body is not read, such as one for an upgrade.
    init(_ requestHead: HTTPRequestHead, port: GatewayPort, client: String, memory: RequestMemory) {
        var head = requestHead
        HostHeader.complete(&head)
        self.init(
            port: port, method: HTTPRequest.Method(rawValue: head.method.rawValue) ?? .get, target: head.uri,
            headers: HTTPFields(head.headers, splitCookie: false), host: head.headers.first(name: "Host"),
            client: client,
            content: Content(body: RequestBody(buffer: ByteBuffer()), invitation: nil, client: nil),
            load: RequestLoad(memory, account: GatewayContext.account(ofAddress: client)))
    }

    private init(
        port: GatewayPort, method: HTTPRequest.Method, target: String, headers: HTTPFields, host: String?,
        client: String, content: Content, load: RequestLoad
    ) {
        self.port = port
        self.method = method
        self.headers = headers
        self.host = host
        self.client = client
        account = load.account
        self.content = content
        self.load = load
        // Most requests have no query: then the target is the path, and nothing is copied.
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.path = mark.map { String(target[..<$0]) } ?? target
        let path = self.path.dropFirst()
        hasTrailingSlash = path.hasExactSuffix("/") || path.isEmpty
        components = path.split(atByte: "/", omittingEmptySubsequences: false)
            .dropLastIfEmpty()
        queryText = mark.map { Substring(target.utf8[$0...].dropFirst()) } ?? ""
        query = queryText.isEmpty ? [:] : Self.query(queryText)
    }

    /// The text of a path component. Bytes that are not UTF-8 become U+FFFD: `checkTexts` refuses these before any
    /// look-up.
    static func decoded(_ component: Substring) -> String { percentDecoded(component, plusIsSpace: false) }

    /// Throws 400 for a path or a query that is not UTF-8, since different ids would become the same one.
    func checkTexts() throws(GatewayError) {
        guard Self.isUTF8(path[...]) else {
            throw GatewayError.invalidURL("path")
        }
        guard Self.isUTF8(queryText) else {
            throw GatewayError.invalidURL("query")
        }
    }

    /// Throws 400 for a path with a `%` without two hexadecimal digits behind it, such as `%+5` or `%5`.
    func checkEscapes() throws(GatewayError) {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return }
        let bytes = Array(path.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard index + 2 < bytes.count, Self.hexadecimalValue(bytes[index + 1]) != nil,
                Self.hexadecimalValue(bytes[index + 2]) != nil
            else { throw GatewayError.invalidEscape }
        }
    }

    /// A JSON array of strings in the query; `nil` if there is none.
    func texts(_ name: String) throws(GatewayError) -> [String]? {
        guard let text = query[Name(name)], !text.isEmpty else { return nil }
        guard let list = (try? JSONValue(parsing: text))?.texts else {
            throw GatewayError.noStringArrayInQuery(name)
        }
        return list
    }

    func flag(_ name: String) -> Bool { query[Name(name)] == "true" }

    func header(_ name: HTTPField.Name) -> String? { headers[name] }

    /// The client's user agent, shortened for the log.
    var agent: String { (header(.userAgent) ?? "").shortened(toBytes: GatewayServerLimits.agent) }

    /// Whether the client accepts an answer with a type that begins like this. Without an `Accept` header it accepts
    /// every type.
    func accepts(_ type: String) -> Bool {
        guard let header = header(.accept), !header.isEmpty else { return true }
        return header.contains(type) || header.contains("*/*")
    }

    /// The whole body, at most the size of a document.
    func bytes(
        limit: Int = GatewayServerLimits.body, tooLarge: GatewayError = .documentTooLarge
    ) async throws -> [UInt8] {
        let limit = min(limit, load.limit)
        try checkStatedLength(limit, tooLarge: tooLarge)
        var collected: [UInt8] = []
        try await forEachPart { part in
            guard collected.count + part.readableBytes <= limit else {
                throw tooLarge
            }
            try load.arrived(collected.count + part.readableBytes)
            collected.append(contentsOf: part.readableBytesView)
        }
        if let coding = header(.contentEncoding), !coding.isEmpty {
            guard coding.lowercased() == "gzip" else {
                throw GatewayError.unsupportedEncoding
            }
            // The parsed body counts for the account as soon as it is made. So large bodies of one account wait for
            // each other, and not for those of other accounts.
            try await load.beginReading(bytes: min(limit, collected.count * Gzip.mostInflation))
            collected = try Gzip.inflated(collected, limit: limit)
            try load.arrived(collected.count)
            await Task.yield()
        } else {
            try await load.beginReading(collected)
        }
        await load.begin(on: collected)
        // The authorization may have ended while this body waited for other large ones of the account.
        try await authorization?.check()
        return collected
    }

    /// Reads the whole body as the content of an attachment; it is kept on disk unless it is small.
    ///
    /// - Parameter user: the sender; `nil` for administrators.
    func staged(in database: GatewayDatabase, by user: Name?) async throws -> StagedAttachment {
        let attachment = database.documents.stageAttachment(of: load.stagingOwner, by: user)
        let limit = database.attachmentSize
        try checkStatedLength(limit, tooLarge: .attachmentTooLarge)
        if let length = statedLength { try database.documents.checkRoom(forAttachmentOf: min(length, limit), by: user) }
        let inflation = header(.contentEncoding)?.lowercased() == "gzip" ? Gzip.Inflation() : nil
        try await forEachPart { part in
            var part = part
            while let piece = try inflation.map({ try $0.next(&part) }) ?? Self.taken(&part) {
                guard attachment.length + piece.readableBytes <= limit else {
                    throw GatewayError.attachmentTooLarge
                }
                try await database.documents.append(piece, to: attachment)
            }
        }
        try inflation?.finish()
        return attachment
    }

    private static func taken(_ part: inout ByteBuffer) -> ByteBuffer? {
        part.readableBytes > 0 ? part.readSlice(length: part.readableBytes) : nil
    }

    /// Refuses a body at once if its stated length is too large and the client has asked before sending it. A client that
    /// has not asked is already sending, and may not read an answer before it has sent all. Of a compressed body the
    /// inflated content counts, so its length is not known here.
    private func checkStatedLength(_ limit: Int, tooLarge: GatewayError) throws(GatewayError) {
        guard content.invitation != nil, let length = statedLength, length > limit else { return }
        throw tooLarge
    }

    /// The length in the header; `nil` if the body is compressed or comes in chunks.
    private var statedLength: Int? {
        header(.contentEncoding) == nil ? header(.contentLength).flatMap { Int($0) } : nil
    }

    private static func asksFirst(_ expectation: String) -> Bool { expectation.lowercased() == "100-continue" }

    /// Throws 417 for any other expectation: no other exists (RFC 9110, 10.1.1).
    func checkExpectation() throws(GatewayError) {
        guard let expectation = header(.expect), !Self.asksFirst(expectation) else { return }
        throw GatewayError.unknownExpectation
    }

    /// Calls `handle` with each part of the body as it arrives. A client that stops in the middle gets an answer, if it
    /// still reads.
    private func forEachPart(_ handle: (ByteBuffer) async throws -> Void) async throws {
        content.invitation?()
        var parts = content.body.makeAsyncIterator()
        var pace = load.pace
        // Only the time spent waiting for the client counts.
        var start = ContinuousClock.now
        var total = 0
        var isTooSlow = false
        while let part = try await next(&parts) {
            // The last part is accepted even if it is late: otherwise the client would have to send a complete body
            // again.
            guard !isTooSlow else {
                throw GatewayError.slowBody(under: pace.bytes, inSeconds: pace.seconds)
            }
            total += part.readableBytes
            let waited = TimeAmount(start.duration(to: .now))
            isTooSlow = !pace.note(part.readableBytes, waited: waited, unfinished: total)
            try await handle(part)
            start = .now
        }
        // The authorization may have ended while the body arrived, which can take hours.
        try await authorization?.check()
    }

    private func next(_ parts: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw GatewayError.unfinishedBody
        }
    }

    /// Runs a long operation, and cancels it when the client disconnects. The connection is not used again after that.
    func whileConnected(_ operation: () async throws -> Void) async throws {
        try await content.body.consumeWithCancellationOnInboundClose { rest in
            // The rest of the body is not read. An iterator that is made and dropped ends the stream. If the stream were
            // dropped without one, because the body was read before and its end never comes, the process would end.
            _ = rest.makeAsyncIterator()
            try await operation()
        }
    }

    /// Whether the client is still there: a write that waits for its turn is given up when it is gone. `nil` for a request
    /// whose body is not read.
    var presence: ClientPresence? { content.client }

    /// The body as a JSON object. Bytes behind the object are ignored, as in Sync Gateway.
    func object() async throws -> JSONObject {
        try check(contentType: "application/json")
        let value = try await parsed(refusing: .tooManyBodyValues, moreValuesThan: GatewayServerLimits.bodyValues)
        guard let object = value.objectValue else { throw value.wrongDocument }
        return object
    }

    /// The body as a document. Only the message of a refusal differs from those for other bodies.
    func document() async throws -> JSONValue {
        let given = header(.contentType)
        guard let given, given != "application/json" else { return try await parsedDocument() }
        let type = given.split(atByte: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
        if let type, type != "application/json" { throw GatewayError.invalidContentType(type) }
        return try await parsedDocument()
    }

    private func parsedDocument() async throws -> JSONValue {
        try await parsed(refusing: .tooManyValues, moreValuesThan: GatewayLimits.documentValues)
    }

    /// The body. Throws 415 if the content type does not begin like this; a request without one is accepted.
    func bytes(of contentType: String) async throws -> [UInt8] {
        try check(contentType: contentType)
        return try await contentType == "application/json" ? jsonBytes() : bytes()
    }

    /// The body for a parser of JSON. Throws 413 if it has so many values that parsing would take too long.
    func jsonBytes() async throws -> [UInt8] {
        let bytes = try await bytes()
        guard !bytes.hasMoreJSONValues(than: GatewayServerLimits.bodyValues) else {
            throw GatewayError.tooManyBodyValues
        }
        return bytes
    }

    private func check(contentType expected: String) throws(GatewayError) {
        guard let type = header(.contentType), !type.isEmpty, !type.hasPrefix(expected) else { return }
        throw GatewayError.unexpectedContentType(type, expected: expected)
    }

    private func parsed(refusing refusal: GatewayError, moreValuesThan limit: Int) async throws -> JSONValue {
        let bytes = try await bytes()
        guard !bytes.hasMoreJSONValues(than: limit) else { throw refusal }
        guard bytes.contains(where: { $0 > 0x20 }) else { throw GatewayError.badJSON("EOF") }
        do {
            return try JSONValue.parsePrefix(of: bytes).value
        } catch {
            throw GatewayError.badJSON(error)
        }
    }

    private static func query(_ text: Substring) -> [Name: String] {
        var values: [Name: String] = [:]
        for pair in text.split(atByte: "&") {
            let parts = pair.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Name(percentDecoded(parts[0], plusIsSpace: true))
            // If a name occurs several times, the first value counts.
            guard values[name] == nil else { continue }
            values[name] = parts.count > 1 ? percentDecoded(parts[1], plusIsSpace: true) : ""
        }
        return values
    }

    private static func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return String(decoding: percentDecodedBytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Unescaped bytes that are not UTF-8 have already become U+FFFD.
    private static func isUTF8(_ text: Substring) -> Bool {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 }) else { return true }
        guard !text.unicodeScalars.contains("\u{FFFD}") else { return false }
        return String(validating: percentDecodedBytes(text, plusIsSpace: false), as: UTF8.self) != nil
    }

    private static func percentDecodedBytes(_ text: Substring, plusIsSpace: Bool) -> [UInt8] {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = hexadecimalValue(source[index + 1]), let low = hexadecimalValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
                continue
            }
            bytes.append(source[index] == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : source[index])
            index += 1
        }
        return bytes
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [Substring] {
    /// A trailing slash leaves an empty component behind.
    fileprivate func dropLastIfEmpty() -> [Substring] { last?.isEmpty == true ? Array(dropLast()) : self }
}

extension String {
    /// The version in an `If-Match`.
    var withoutQuotes: String {
        String(String.UnicodeScalarView(unicodeScalars.lazy.filter { $0 != "\"" }))
    }
}
