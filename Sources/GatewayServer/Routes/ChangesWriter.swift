import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes a feed in the framing that Sync Gateway uses (rest-11 3, rest-12).
struct ChangesWriter: Sendable {
    let request: GatewayRequest
    let feed: ChangesFeed
    let parameters: ChangesParameters
    let since: SequenceID

    /// Whether the reader may still read, checked after a wait, so that a waiting reader gets a proper answer.
    private var isWelcome: Bool { get async throws { try await request.authorization?.holds ?? true } }

    /// Sends rows, unless the reader's authorization ended while they were read, or while the rows before were sent: then
    /// the answer breaks off.
    private func write(_ bytes: [UInt8], to writer: inout any ResponseBodyWriter) async throws {
        try await request.authorization?.check()
        try await writer.write(ByteBuffer(bytes: bytes))
    }

    static let noCache: HTTPFields = [.cacheControl: "private, max-age=0, no-cache, no-store"]

    func normal() async throws -> Response {
        try await .growing(Output(), for: request, type: "application/json", headers: Self.noCache) { output in
            guard !output.isFinished else { return nil }
            try await drain(into: &output)
            return output.take()
        }
    }

    /// Like `normal`, but waits for a first row; until then, line feeds keep the connection alive.
    func longpoll() -> Response {
        stream(type: "application/json") { writer in
            var output = Output()
            do {
                try await waitForRows(&output, writer: &writer)
            } catch let error as GatewayError where error == .underMaintenance {
                // The database has changed: the client finds the new state with its next request.
            }
            output.finish(since)
            try await writer.write(ByteBuffer(bytes: output.take()))
        }
    }

    private func waitForRows(_ output: inout Output, writer: inout any ResponseBodyWriter) async throws {
        let clock = FeedTimeout(parameters)
        while true {
            let isCaughtUp = try await drain(into: &output, finishes: false)
            if output.count > 0 { try await write(output.take(), to: &writer) }
            guard isCaughtUp else { continue }
            guard output.count == 0, try await clock.waits(for: feed, heartbeat: { try await writer.writeLine() }),
                try await isWelcome
            else { return }
        }
    }

    /// One row a line, an empty line when there are no more for now.
    func continuous() -> Response {
        stream(type: "application/octet-stream") { writer in
            do {
                try await goOn(&writer)
            } catch let error as GatewayError where error == .underMaintenance {
                return
            }
        }
    }

    private func goOn(_ writer: inout any ResponseBodyWriter) async throws {
        var remaining = parameters.limit ?? .max
        while true {
            remaining = try await writeLines(remaining, writer: &writer)
            guard remaining > 0 else { return }
            try await writer.writeLine()
            let clock = FeedTimeout(parameters)
            guard try await clock.waits(for: feed, heartbeat: { try await writer.writeLine() }), try await isWelcome
            else { return }
        }
    }

    /// Writes the present rows, one a line, and returns how many rows may still follow.
    private func writeLines(_ limit: Int, writer: inout any ResponseBodyWriter) async throws -> Int {
        var remaining = limit
        while remaining > 0 {
            let batch = try await feed.next(limit: min(GatewayServerLimits.feedPage, remaining))
            remaining -= batch.rows.count
            var lines: [UInt8] = []
            for row in batch.rows { lines += Self.text(row, parameters: parameters) + Array("\n".utf8) }
            if !lines.isEmpty { try await write(lines, to: &writer) }
            if batch.isCaughtUp { break }
        }
        return remaining
    }

    /// An answer that may take long, and ends when its client does.
    private func stream(
        type: String, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        var headers = Self.noCache
        headers[.contentType] = type
        // After watching for the end of the client, the connection cannot be used for another request.
        headers[.connection] = "close"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                try await request.whileConnected { try await write(&writer) }
                try await writer.finish(nil)
            })
    }

    /// Adds the rows of one read; returns whether there are no more for now.
    @discardableResult
    private func drain(into output: inout Output, finishes: Bool = true) async throws -> Bool {
        let room = (parameters.limit ?? .max) - output.count
        var isCaughtUp = room <= 0
        if !isCaughtUp {
            let batch = try await feed.next(limit: min(GatewayServerLimits.feedPage, room))
            for row in batch.rows { output.append(row, parameters: parameters) }
            isCaughtUp = batch.isCaughtUp || batch.rows.count >= room
        }
        if isCaughtUp, finishes { output.finish(since) }
        return isCaughtUp
    }

    /// The text of a `normal` answer while it grows.
    private struct Output: Sendable {
        private(set) var count = 0
        private(set) var isFinished = false
        private var bytes = Array("{\"results\":[\r\n".utf8)
        private var last: SequenceID?

        mutating func append(_ row: FeedRow, parameters: ChangesParameters) {
            if count > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += ChangesWriter.text(row, parameters: parameters)
            bytes.append(UInt8(ascii: "\n"))
            count += 1
            last = row.sequence
        }

        mutating func finish(_ since: SequenceID) {
            bytes += Array("],\n\"last_seq\":\"\(last ?? since)\"}\n".utf8)
            isFinished = true
        }

        /// The text since the last call.
        mutating func take() -> [UInt8] {
            defer { bytes = [] }
            return bytes
        }
    }

    /// A row as all feeds write it.
    static func text(_ row: FeedRow, parameters: ChangesParameters) -> [UInt8] {
        var text = #"{"seq":\#(row.sequence.jsonText),"id":\#(JSONValue.string(row.id))"#
        if row.isDeleted { text += #","deleted":true"# }
        if !row.removed.isEmpty {
            text += #","removed":\#(JSONValue.list(row.removed))"#
        }
        var bytes = Array(text.utf8)
        if let document = row.document { bytes += Array(#","doc":"#.utf8) + DocumentJSON().bytes(document) }
        let revisions = (row.revision.map { [$0] } ?? []) + row.otherLeaves
        let changes = revisions.map { #"{"rev":"\#($0)"}"# }.joined(separator: ",")
        bytes += Array(#","changes":[\#(changes)]"#.utf8)
        if row.isRevoked { bytes += Array(#","revoked":true"#.utf8) }
        return bytes + Array("}".utf8)
    }
}

/// How long a client waits for news.
struct FeedTimeout {
    private let deadline: ContinuousClock.Instant?
    private let heartbeat: Duration?

    init(_ parameters: ChangesParameters) {
        deadline = parameters.timeout.map { ContinuousClock.now + $0 }
        heartbeat = parameters.heartbeat
    }

    /// True when there may be news, false when the time is over or the gateway is about to stop.
    func waits(for feed: ChangesFeed, heartbeat beat: () async throws -> Void) async throws -> Bool {
        while true {
            let now = ContinuousClock.now
            let step = [deadline.map { $0 - now }, heartbeat].compactMap { $0 }.min()
            if let step, step <= .zero { return false }
            switch try await Self.news(from: feed, within: step) {
            case .there: return true
            case .shutdown: return false
            case .none: break
            }
            if let deadline, ContinuousClock.now >= deadline { return false }
            try await beat()
        }
    }

    private enum News: Sendable { case there, none, shutdown }

    private static func news(from feed: ChangesFeed, within limit: Duration?) async throws -> News {
        try await withThrowingTaskGroup(of: News.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await feed.waitForChanges()
                return .there
            }
            group.addTask {
                try await gracefulShutdown()
                return .shutdown
            }
            if let limit {
                group.addTask {
                    try await Task.sleep(for: limit)
                    return .none
                }
            }
            return try await group.next() ?? .none
        }
    }
}

extension ResponseBodyWriter {
    fileprivate mutating func writeLine() async throws { try await write(ByteBuffer(string: "\n")) }
}
