import DocumentValues
import NIOCore

/// Large revisions on their way to clients. Each client always gets at least one, and a user may have thousands of
/// connections that read nothing: so the large revisions of an account wait for each other. They do not wait for other
/// accounts, because their progress depends on the client's reading.
package final class LargeLoads: Sendable {
    private let reads = AccountLine(limit: GatewayLimits.readsOfAccount)
    private let line: AccountLine

    /// - Parameters:
    ///   - total: bytes of all revisions that are being sent; beyond it each account has one load.
    ///   - share: bytes of one account; one load alone may have more.
    package init(total: Int, share: Int) { line = AccountLine(limit: share, total: total) }

    /// - Parameter load: returns the number of loaded bytes, too.
    /// - Returns: the turn to hold until they are sent; `nil` if they are few.
    func load<Value: Sendable>(
        for account: Name, _ load: () async throws -> (Value, bytes: Int)
    ) async throws -> (Value, Turn?) {
        let (loaded, bytes) = try await reads.run(of: account) {
            let (value, bytes) = try await load()
            let isToWait = bytes > GatewayLimits.largeLoad && !line.beginAtOnce(bytes, of: account)
            return (isToWait ? nil : value, bytes)
        }
        if let loaded {
            return (loaded, bytes > GatewayLimits.largeLoad ? Turn(line, bytes: bytes, account: account) : nil)
        }
        // The loaded result is dropped during the wait, so that waiting loads take no memory, and small ones are not
        // delayed.
        try await line.begin(bytes, of: account)
        let turn = Turn(line, bytes: bytes, account: account)
        return (try await reads.run(of: account) { try await load().0 }, turn)
    }

    /// Room that is taken until this is released.
    final class Turn: Sendable {
        let bytes: Int
        private let line: AccountLine
        private let account: Name

        fileprivate init(_ line: AccountLine, bytes: Int, account: Name) {
            self.line = line
            self.bytes = bytes
            self.account = account
        }

        deinit { line.end(bytes, of: account) }
    }
}

/// The turns of one connection, by age.
struct HeldLoads {
    private var turns = CircularBuffer<LargeLoads.Turn>()
    private var bytes = 0

    var count: Int { turns.count }

    mutating func append(_ turn: LargeLoads.Turn) {
        turns.append(turn)
        bytes += turn.bytes
    }

    /// Releases the turns of sent bytes: so many bytes, the latest ones, are not sent yet.
    mutating func release(downTo unsent: Int) {
        while let first = turns.first, bytes - first.bytes >= unsent {
            bytes -= first.bytes
            turns.removeFirst()
        }
    }
}
