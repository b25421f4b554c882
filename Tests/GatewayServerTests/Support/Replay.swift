import DocumentValues
import Foundation
import Testing
import TranscriptSupport

/// Asks our gateway what a Sync Gateway was asked in a recording, and compares.
final class Replay {
    private let gateway: TestGateway
    private let recording: RESTRecording
    private let server: RESTRecording.Server
    /// Recorded session ids and what ours are called.
    private var names: [(recorded: String, ours: String)] = []
    private var sequences = SequenceMap()

    init(_ name: String, _ gateway: TestGateway) throws {
        self.gateway = gateway
        recording = try RESTRecording.load(name)
        server = try recording.server("3.3.7")
    }

    func run() async throws {
        for step in server.setup { try await prepare(step) }
        for (index, exchange) in server.exchanges.enumerated() {
            let number = index + 1
            let answer = try await ask(exchange, number)
            if exchange.method == "POST", exchange.path.hasSuffix("/_resync") { try await awaitEnd(of: exchange.path) }
            learn(exchange, answer)
            let difference =
                exchange.raw["lines"] == nil
                ? Comparison(exchange, answer).difference(&sequences) : lineDifference(exchange, answer)
            switch KnownDifferences.reason(recording.name, number) {
            case nil:
                let request = "\(recording.name) \(number): \(exchange.method) \(exchange.path.prefix(120))"
                #expect(difference == nil, "\(request): \(difference ?? "")")
            case let reason?:
                #expect(difference != nil, "\(recording.name) \(number) is no longer different (\(reason))")
            }
        }
    }

    private func prepare(_ step: JSONValue) async throws {
        let method = step["method"]?.stringValue ?? ""
        let path = step["path"]?.stringValue ?? ""
        let body = step["body"]
        let answer = try await RawClient.request(
            method, path, port: gateway.adminPort, headers: [("Content-Type", "application/json")], body: body?.bytes)
        try #require(
            Int64(answer.status) == step["status"]?.integerValue, "\(recording.name): \(method) \(path): \(answer.text)"
        )
    }

    private func ask(_ exchange: RESTExchange, _ number: Int) async throws -> RawAnswer {
        let headers = exchange.headers.map { ($0.name, renamed($0.value)) }
        let body = try self.body(of: exchange, number)
        if LiveFeeds.isLive(exchange) {
            return try await LiveFeeds.play(
                exchange, target: LiveFeeds.hurried(renamed(exchange.path)), body: body, on: gateway)
        }
        return try await RawClient.request(
            exchange.method, renamed(exchange.path), port: gateway.port(exchange.port), headers: headers, body: body)
    }

    /// A job that was begun is through before the next request of a recording, however busy the machine is.
    private func awaitEnd(of path: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        repeat {
            let answer = try await RawClient.request("GET", path, port: gateway.adminPort)
            if answer.json?["status"] != "running" { return }
        } while ContinuousClock.now < end
        Issue.record("\(path) is still running after a minute")
    }

    private func body(of exchange: RESTExchange, _ number: Int) throws -> [UInt8]? {
        if let replaced = RecordedBody.replacement(recording.name, number) { return replaced }
        guard var object = exchange.body?.objectValue, let since = object["since"]?.stringValue else {
            return try RecordedBody.bytes(of: exchange)
        }
        object["since"] = .string(sequences.translated(since))
        return object.bytes
    }

    private func lineDifference(_ exchange: RESTExchange, _ answer: RawAnswer) -> String? {
        let expected = LiveFeeds.lines(of: exchange)
        let found = answer.text.split(separator: "\n").map(String.init)
        guard expected.count == found.count else {
            return "\(found.count) lines instead of \(expected.count): \(found)"
        }
        for (left, right) in zip(expected, found) {
            guard let left = try? JSONValue(parsing: left), let right = try? JSONValue(parsing: right) else {
                return "'\(right)' instead of '\(left)'"
            }
            if let difference = Comparison.difference(left, right, "", &sequences) { return difference }
        }
        return nil
    }

    private func renamed(_ text: String) -> String {
        let text = names.reduce(text) { $0.replacingOccurrences(of: $1.recorded, with: $1.ours) }
        return text.replacing(/since=((?:[0-9:]|%3A)+)/) { match in
            "since=\(sequences.translated(String(match.output.1).replacing("%3A", with: ":")))"
        }
    }

    /// A session that we hand out represents the one that was handed out then.
    private func learn(_ exchange: RESTExchange, _ answer: RawAnswer) {
        if let recorded = exchange.response?["session_id"]?.stringValue,
            let ours = answer.json?["session_id"]?.stringValue
        {
            names.append((recorded, ours))
        }
        let cookie = exchange.responseHeaders.first { $0.name == "Set-Cookie" }?.value
        if let recorded = cookie.flatMap(Self.session), let ours = answer.header("Set-Cookie").flatMap(Self.session) {
            names.append((recorded, ours))
        }
    }

    private static func session(_ cookie: String) -> String? {
        cookie.firstMatch(of: /SyncGatewaySession=([0-9a-f]{40})/).map { String($0.output.1) }
    }
}

/// The body of a recorded request; some recordings describe it instead of holding it.
enum RecordedBody {
    static func bytes(of exchange: RESTExchange) throws -> [UInt8]? {
        if let text = exchange.bodyText {
            if let described = try described(text, exchange) { return described }
            return Array(text.utf8)
        }
        return exchange.body?.bytes
    }

    /// Where the recording shows another body than was sent, as its answers show.
    static func replacement(_ recording: String, _ number: Int) -> [UInt8]? {
        let channels = #"{"sync":"function(doc, oldDoc){ channel(doc.channels); }"}"#
        let closed = #"{"sync":"function(doc){ throw({forbidden: 'closed'}); }"}"#
        let broken = #"{"sync":"function(doc){"}"#
        let collections: String
        switch (recording, number) {
        case ("rest-16-config", 9):
            collections = #""inspections":\#(channels),"sites":\#(channels),"people":\#(channels)"#
        case ("rest-16-config", 12): collections = #""inspections":\#(channels),"sites":\#(channels)"#
        case ("rest-16-config", 14): collections = #""inspections":\#(closed),"sites":\#(channels)"#
        case ("rest-16-config", 16): collections = #""inspections":\#(broken),"sites":\#(channels)"#
        default: return nil
        }
        let scopes = #"{"field":{"collections":{\#(collections)}}}"#
        return Array(#"{"bucket":"sgbucket","guest":{"disabled":true},"scopes":\#(scopes)}"#.utf8)
    }

    private static func described(_ text: String, _ exchange: RESTExchange) throws -> [UInt8]? {
        if text.hasSuffix(", gzipped") {
            let bytes: [UInt8] = try #require(Base64.decode(gzipped))
            return bytes
        }
        if text.hasSuffix("of 20 MiB + 28 bytes") { return document(filling: 20 << 20) }
        if text == "the same of 19 MiB" { return document(filling: 19 << 20) }
        if text == "a key of 70,000 characters" {
            return Array((#"{""# + String(repeating: "k", count: 70_000) + #"":1}"#).utf8)
        }
        guard text.hasSuffix("2,000 deep") else { return nil }
        let depth = 2_000
        return Array(
            (#"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}").utf8)
    }

    private static func document(filling size: Int) -> [UInt8] {
        Array(#"{"channels":["north"],"t":""#.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: size)
            + Array(#""}"#.utf8)
    }

    /// `{"channels":["north"],"gz":true}`
    private static let gzipped = "H4sIAAAAAAACA6tWSs5IzMtLzSlWsopWyssvKslQitVRSq9SsiopKk2tBQCWOcpcIAAAAA=="
}
