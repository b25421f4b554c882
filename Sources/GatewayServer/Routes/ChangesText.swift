import DocumentValues
import GatewayCore

/// The text of a feed that is one object of JSON, while it grows.
struct ChangesText: Sendable {
    /// Rows that were appended.
    private(set) var count = 0
    private(set) var isFinished = false
    /// Whether rows were appended since the text was taken. Without them, the answer must not have its end: `last_seq` would
    /// report that the client has got them.
    private(set) var holdsRows = false
    private var bytes = Array("{\"results\":[\r\n".utf8)
    private var last: SequenceID?

    mutating func append(_ row: FeedRow) {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        ChangesWriter.append(row, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        count += 1
        last = row.sequence
        holdsRows = true
    }

    /// - Parameter since: the position of the client if there are no rows.
    mutating func finish(_ since: SequenceID) {
        bytes += Array("],\n\"last_seq\":\"\(last ?? since)\"}\n".utf8)
        isFinished = true
    }

    /// The text since the last call.
    mutating func take() -> [UInt8] {
        defer {
            bytes = []
            holdsRows = false
        }
        return bytes
    }
}
