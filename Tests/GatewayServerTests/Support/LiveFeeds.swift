import DocumentValues
import Foundation
import Testing
import TranscriptSupport

/// Feeds that wait: recorded in rest-12, with what happened meanwhile.
enum LiveFeeds {
    static func isLive(_ exchange: RESTExchange) -> Bool { exchange.raw["meanwhile"] != nil && exchange.status == 200 }

    /// What the recording did while the client waited.
    private static func meanwhile(_ exchange: RESTExchange) -> [(path: String, body: String)] {
        let north = #"{"channels":["north"]}"#
        let text = exchange.raw["meanwhile"]?.stringValue ?? ""
        if text.contains("alice gets channel south") {
            let access = #"{"inspections":{"admin_channels":["north","south"]},"sites":{"admin_channels":["north"]}}"#
            return [("/db/_user/alice", #"{"collection_access":{"field":\#(access)}}"#)]
        }
        let names = text.matches(of: /\b((?:lp|c)\d)\b/).map { String($0.output.1) }
        return names.map { name in
            ("/db.field.inspections/\(name)", text.contains("south") ? #"{"channels":["south"]}"# : north)
        }
    }

    /// Timeouts are played ten times as fast.
    static func hurried(_ text: String) -> String {
        text.replacing(/timeout=(\d+)/) { "timeout=\((Int($0.output.1) ?? 0) / 10)" }
    }

    static func play(
        _ exchange: RESTExchange, target: String, body: [UInt8]?, on gateway: TestGateway
    ) async throws -> RawAnswer {
        async let waiting = receive(exchange, target: target, body: body, port: gateway.publicPort)
        for (path, body) in meanwhile(exchange) {
            let answer = try await RawClient.request(
                "PUT", path, port: gateway.adminPort, headers: [("Content-Type", "application/json")],
                body: Array(body.utf8))
            try #require([200, 201].contains(answer.status))
        }
        return try await waiting
    }

    private static func receive(
        _ exchange: RESTExchange, target: String, body: [UInt8]?, port: Int
    ) async throws -> RawAnswer {
        let headers = exchange.headers.map { ($0.name, $0.value) }
        guard exchange.raw["lines"] != nil, exchange.raw["ended"] != nil else {
            return try await RawClient.request(exchange.method, target, port: port, headers: headers, body: body)
        }
        let count = lines(of: exchange).count
        return try await RawClient.lines(count, target, port: port, headers: headers)
    }

    /// The lines of a continuous feed; how many empty ones follow each other is a matter of chance.
    static func lines(of exchange: RESTExchange) -> [String] {
        (exchange.raw["lines"]?.arrayValue ?? []).compactMap { $0["line"]?.stringValue }
            .map { $0.trimmingCharacters(in: .newlines) }.filter { !$0.isEmpty }
    }
}
