import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Writes a feed in the framing that Sync Gateway uses (rest-11 3, rest-12).
struct ChangesWriter: Sendable {
    private static let page = 500

    let feed: ChangesFeed
    let parameters: ChangesParameters
    let since: SequenceID

    static let noCache: HTTPFields = [.cacheControl: "private, max-age=0, no-cache, no-store"]

    func normal() async throws -> Response {
        var output = Output()
        try await drain(into: &output)
        return .bytes(output.finished(since), type: "application/json", headers: Self.noCache)
    }

    /// Like `normal`, but waits for a first row; line feeds keep the connection alive meanwhile.
    func longpoll() -> Response {
        var headers = Self.noCache
        headers[.contentType] = "application/json"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var output = Output()
                try await drain(into: &output)
                let clock = Patience(parameters)
                while output.count == 0, try await clock.waits(for: feed, heartbeat: { try await writer.writeLine() }) {
                    try await drain(into: &output)
                }
                try await writer.write(ByteBuffer(bytes: output.finished(since)))
                try await writer.finish(nil)
            })
    }

    /// One row a line, an empty line when there are no more for now.
    func continuous() -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .cacheControl: "private, max-age=0, no-cache, no-store",
            ],
            body: ResponseBody { writer in
                var remaining = parameters.limit ?? .max
                var clock = Patience(parameters)
                repeat {
                    var isCaughtUp = false
                    while !isCaughtUp, remaining > 0 {
                        let batch = try await feed.next(limit: min(Self.page, remaining))
                        remaining -= batch.rows.count
                        isCaughtUp = batch.isCaughtUp
                        var lines: [UInt8] = []
                        for row in batch.rows { lines += Output.text(row, parameters) + Array("\n".utf8) }
                        if !lines.isEmpty { try await writer.write(ByteBuffer(bytes: lines)) }
                    }
                    if remaining > 0 { try await writer.writeLine() }
                    clock = Patience(parameters)
                    if remaining == 0 { break }
                } while try await clock.waits(for: feed, heartbeat: { try await writer.writeLine() })
                try await writer.finish(nil)
            })
    }

    private func drain(into output: inout Output) async throws {
        while true {
            let room = (parameters.limit ?? .max) - output.count
            guard room > 0 else { return }
            let batch = try await feed.next(limit: min(Self.page, room))
            for row in batch.rows { output.append(row, parameters) }
            if batch.isCaughtUp { return }
        }
    }

    /// The text of a `normal` answer while it grows.
    private struct Output {
        private(set) var count = 0
        private var bytes = Array("{\"results\":[\r\n".utf8)
        private var last: SequenceID?

        mutating func append(_ row: FeedRow, _ parameters: ChangesParameters) {
            if count > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Self.text(row, parameters)
            bytes.append(UInt8(ascii: "\n"))
            count += 1
            last = row.sequence
        }

        func finished(_ since: SequenceID) -> [UInt8] {
            bytes + Array("],\n\"last_seq\":\"\(last ?? since)\"}\n".utf8)
        }

        static func text(_ row: FeedRow, _ parameters: ChangesParameters) -> [UInt8] {
            var text = #"{"seq":\#(row.sequence.jsonText),"id":\#(JSONValue.string(row.id))"#
            if row.isDeleted { text += #","deleted":true"# }
            if !row.removed.isEmpty {
                text += #","removed":\#(JSONValue.array(row.removed.sorted().map { .string($0) }))"#
            }
            var bytes = Array(text.utf8)
            if let document = row.document { bytes += Array(#","doc":"#.utf8) + DocumentJSON().bytes(document) }
            let changes = row.revision.map { #"[{"rev":"\#($0)"}]"# } ?? "[]"
            bytes += Array(#","changes":\#(changes)"#.utf8)
            if row.isRevoked { bytes += Array(#","revoked":true"#.utf8) }
            return bytes + Array("}".utf8)
        }
    }
}

/// How long a client waits for news.
struct Patience {
    private let deadline: ContinuousClock.Instant?
    private let heartbeat: Duration?

    init(_ parameters: ChangesParameters) {
        deadline = parameters.timeout.map { ContinuousClock.now + $0 }
        heartbeat = parameters.heartbeat
    }

    /// True when there may be something new, false when the time is over.
    func waits(for feed: ChangesFeed, heartbeat beat: () async throws -> Void) async throws -> Bool {
        while true {
            let now = ContinuousClock.now
            let step = [deadline.map { $0 - now }, heartbeat].compactMap { $0 }.min()
            if let step, step <= .zero { return false }
            if try await Self.news(from: feed, within: step) { return true }
            if let deadline, ContinuousClock.now >= deadline { return false }
            try await beat()
        }
    }

    private static func news(from feed: ChangesFeed, within limit: Duration?) async throws -> Bool {
        guard let limit else {
            try await feed.waitForChanges()
            return true
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await feed.waitForChanges()
                return true
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}

extension ResponseBodyWriter {
    fileprivate mutating func writeLine() async throws { try await write(ByteBuffer(string: "\n")) }
}
