import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Writes a feed in the framing that Sync Gateway uses (rest-11 3, rest-12).
struct ChangesWriter: Sendable {
    let request: GatewayRequest
    let feed: ChangesFeed
    let parameters: ChangesParameters
    let since: SequenceID

    private var stay: ReaderStay { ReaderStay(authorization: request.authorization) }

    static let noCache: HTTPFields = [.cacheControl: "private, max-age=0, no-cache, no-store"]

    func normal() async throws -> Response {
        try await .growing(ChangesText(), for: request, type: "application/json", headers: Self.noCache) { output in
            guard !output.isFinished else { return nil }
            try await drain(into: &output)
            return output.take()
        }
    }

    /// Like `normal`, but waits for a first row; until then, line feeds keep the connection alive.
    func longpoll() -> Response {
        stream(type: "application/json") { writer in
            var output = ChangesText()
            let end = try await stay.run {
                do {
                    try await waitForRows(&output, writer: &writer)
                } catch let error as GatewayError where error == .underMaintenance {
                    // The database has changed: the client finds the new state with its next request.
                }
            }
            // Some of the rows may not have been written: an answer with an end would leave these out.
            guard !output.holdsRows, end.isFinished || output.count == 0 else { throw CancellationError() }
            output.finish(since)
            try await writer.write(ByteBuffer(bytes: output.take()))
        }
    }

    private func waitForRows(_ output: inout ChangesText, writer: inout any ResponseBodyWriter) async throws {
        let clock = FeedTimeout(parameters)
        while true {
            let isCaughtUp = try await drain(into: &output, finishes: false)
            if output.holdsRows {
                // The authorization may have ended while the rows were read, or while the rows before were sent: then the
                // answer breaks off. The rows are taken afterwards, since the database may be interrupted here as well.
                try await request.authorization?.check()
                try await writer.write(ByteBuffer(bytes: output.take()))
            }
            guard isCaughtUp else { continue }
            guard output.count == 0, try await clock.waits(for: feed, heartbeat: { try await writer.writeLine() }),
                try await request.authorization?.holds ?? true
            else { return }
        }
    }

    /// One row a line, an empty line when there are no more for now.
    func continuous() -> Response {
        let delivery = FeedDelivery(feed: feed, parameters: parameters, authorization: request.authorization)
        return stream(type: "application/octet-stream") { writer in
            var lines = FeedLines(writer)
            defer { writer = lines.body }
            _ = try await stay.run {
                do {
                    _ = try await delivery.run(to: &lines)
                } catch let error as GatewayError where error == .underMaintenance {
                    return
                }
            }
            // The client must not take a part of a row for the end of the feed.
            if lines.isInRow { throw CancellationError() }
        }
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
    private func drain(into output: inout ChangesText, finishes: Bool = true) async throws -> Bool {
        let room = (parameters.limit ?? .max) - output.count
        var isCaughtUp = room <= 0
        if !isCaughtUp {
            let batch = try await feed.next(limit: min(GatewayServerLimits.feedPage, room))
            for row in batch.rows { output.append(row) }
            isCaughtUp = batch.isCaughtUp || batch.rows.count >= room
        }
        if isCaughtUp, finishes { output.finish(since) }
        return isCaughtUp
    }

    /// Appends a row as all feeds write it, without texts in between: a feed may have very many rows.
    static func append(_ row: FeedRow, to output: inout [UInt8]) {
        output.append(#"{"seq":"#)
        output.append(contentsOf: row.sequence.jsonText.utf8)
        output.append(#","id":"#)
        JSONWriter.appendString(row.id, to: &output)
        if row.isDeleted { output.append(#","deleted":true"#) }
        if !row.removed.isEmpty { output += Array(#","removed":"#.utf8) + JSONValue.list(row.removed).bytes }
        if let document = row.document { output += Array(#","doc":"#.utf8) + DocumentJSON().bytes(document) }
        output.append(#","changes":["#)
        if let revision = row.revision { append(revision, to: &output) }
        for (index, leaf) in row.otherLeaves.enumerated() {
            if index > 0 || row.revision != nil { output.append(",") }
            append(leaf, to: &output)
        }
        output.append("]")
        if row.isRevoked { output.append(#","revoked":true"#) }
        output.append("}")
    }

    private static func append(_ revision: RevisionID, to output: inout [UInt8]) {
        output.append(#"{"rev":""#)
        output.append(contentsOf: revision.description.utf8)
        output.append(#""}"#)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }
}

/// The framing of `feed=continuous`.
private struct FeedLines: FeedWriter {
    private(set) var body: any ResponseBodyWriter
    /// Whether rows were begun and not written to their end.
    private(set) var isInRow = false

    init(_ body: any ResponseBodyWriter) { self.body = body }

    mutating func write(_ rows: [FeedRow]) async throws {
        var lines: [UInt8] = []
        for row in rows {
            ChangesWriter.append(row, to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        isInRow = true
        try await body.write(ByteBuffer(bytes: lines))
        isInRow = false
    }

    mutating func noteCaughtUp() async throws { try await body.writeLine() }

    mutating func beat() async throws { try await body.writeLine() }
}

extension ReaderStay.End {
    fileprivate var isFinished: Bool {
        switch self {
        case .finished: true
        case .revoked, .shutdown: false
        }
    }
}

extension ResponseBodyWriter {
    fileprivate mutating func writeLine() async throws { try await write(ByteBuffer(string: "\n")) }
}
