import GatewayCore

/// How a feed that goes on is framed for its reader.
protocol FeedWriter {
    /// Sends the rows of one read, at least one.
    mutating func write(_ rows: [FeedRow]) async throws
    /// There are no more rows for now.
    mutating func noteCaughtUp() async throws
    /// Shows the client that the connection is alive.
    mutating func beat() async throws
}

/// How the delivery of a feed ends.
enum FeedEnd: Sendable {
    /// The reader has got everything that it requested.
    case complete
    /// The reader's authorization has ended.
    case unauthorized
}

/// Delivers the changes of a feed to one reader, the present rows first and then each later one. Whether the reader may stay is
/// `ReaderStay`'s part.
struct FeedDelivery: Sendable {
    let feed: ChangesFeed
    let parameters: ChangesParameters
    /// Checked before rows are sent: it may have ended while they were read, or while the rows before were sent.
    let authorization: RequestAuthorization?

    /// Writes until the requested number of rows was sent, the client's time limit is over, or the authorization has ended
    /// while there was nothing to send.
    ///
    /// - Throws: `GatewayError` (401) if the authorization has ended and there are rows, and what the database says when it is
    ///   interrupted.
    func run(to writer: inout some FeedWriter) async throws -> FeedEnd {
        var remaining = parameters.limit ?? .max
        while true {
            remaining = try await writePresentRows(upTo: remaining, to: &writer)
            guard remaining > 0 else { return .complete }
            try await writer.noteCaughtUp()
            let timeout = FeedTimeout(parameters)
            guard try await timeout.waits(for: feed, heartbeat: { try await writer.beat() }) else { return .complete }
            guard try await authorization?.holds ?? true else { return .unauthorized }
        }
    }

    /// Returns how many rows may still follow.
    private func writePresentRows(upTo limit: Int, to writer: inout some FeedWriter) async throws -> Int {
        var remaining = limit
        while remaining > 0 {
            let batch = try await feed.next(limit: min(GatewayServerLimits.feedPage, remaining))
            remaining -= batch.rows.count
            if !batch.rows.isEmpty {
                try await authorization?.check()
                try await writer.write(batch.rows)
            }
            if batch.isCaughtUp { break }
        }
        return remaining
    }
}
