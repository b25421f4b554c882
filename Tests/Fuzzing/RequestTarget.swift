import DocumentValues
import HTTPTypes
import NIOHTTP1
import TranscriptSupport

@testable import GatewayServer

extension FuzzTarget {
    /// A request's line, headers and body, as far as they are read before a database is asked: `TARGET`, a header a
    /// line, an empty line, the body.
    static let request = FuzzTarget(
        name: "request",
        seeds: {
            let recorded = try Recordings.exchanges().map { exchange in
                let headers = exchange.headers.map { "\($0.name): \($0.value)\n" }.joined()
                return "\(exchange.path)\n\(headers)\n" + (exchange.bodyText ?? exchange.body?.description ?? "")
            }
            let own = [
                "/db/a%20b/c?rev=1-a&attachments=true&since=5%3A9&feed=longpoll&limit=3\nRange: bytes=2-5\n\n",
                "/db/_changes?filter=sync_gateway/bychannel&channels=a,b\nRange: bytes=-4\n\n",
                "/db/a\nContent-Type: multipart/related; boundary=\"x\"\n\n--x\r\n\r\n{}\r\n--x\r\nA: b\r\n\r\nhi\r\n--x--",
                "/db/\nAuthorization: Basic YW5uOmxldG1laW4=\nCookie: a=b; SyncGatewaySession=cafe\n\n",
                "/db/_changes\n\n" + #"{"since":"1:2","limit":5,"heartbeat":60000,"timeout":5,"doc_ids":["a"]}"#,
            ]
            return (recorded + own).map { Array($0.utf8) }
        }
    ) { bytes in
        let (head, body) = split(bytes)
        let request = GatewayRequest(head, port: .publicAPI, client: "", memory: RequestMemory())
        for component in request.components { _ = GatewayRequest.decoded(component) }
        for route in RouteTable.all { _ = route.match(request.components.dropFirst()) }
        checkRange(request.header(.range))
        _ = Login.basicCredentials(request.header(.authorization))
        _ = Login.cookie(named: "SyncGatewaySession", in: request.header(.cookie))
        if let boundary = MultipartReader.boundary(of: request.header(.contentType) ?? "") {
            let parts = try? MultipartReader.parts(of: body, boundary: boundary)
            check((parts ?? []).reduce(0) { $0 + $1.count } <= body.count, "the parts are more than the whole")
        }
        if let plain = try? Gzip.inflated(body, limit: 1 << 16) {
            check(plain.count <= 1 << 16, "too much is inflated")
        }
        _ = (try? ChangesParameters(query: request.query))?.request(in: .default)
        _ = try ChangesParameters(body: JSONObject(parsing: body), query: request.query).request(in: .default)
    }

    private static func split(_ bytes: [UInt8]) -> (HTTPRequestHead, [UInt8]) {
        var rest = bytes[...]
        var lines: [String] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = text(rest[..<end])
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            lines.append(line)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: lines.first ?? "/")
        for line in lines.dropFirst().prefix(20) {
            let halves = line.split(separator: ":", maxSplits: 1).map(String.init)
            // The server's own parser lets no other name through.
            guard halves.count == 2, halves[0].utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            head.headers.add(name: halves[0], value: String(halves[1].dropFirst()))
        }
        return (head, Array(rest))
    }

    private static func checkRange(_ header: String?) {
        for length in [0, 1, 10, 1 << 40] {
            guard case .part(let range) = ByteRange(header, length: length) else { continue }
            check(!range.isEmpty && (0..<length).contains(range.lowerBound) && range.upperBound <= length, "\(range)")
        }
    }
}
