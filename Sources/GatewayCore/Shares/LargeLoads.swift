import DocumentValues
import NIOCore

/// Large revisions on their way to clients. One is sent to each client whatever waits for others, and a user may have thousands
/// of connections that read nothing: so those of an account wait for each other. They wait for nobody else: when they get
/// on depends on what a client reads.
package final class LargeLoads: Sendable {
    private let reads = AccountLine(limit: GatewayLimits.readsOfAccount)
    private let line: AccountLine

    /// - Parameters:
    ///   - total: bytes of all that is on its way; beyond it each account has one load.
    ///   - share: bytes of one account; one load alone may have more.
    package init(total: Int, share: Int) { line = AccountLine(limit: share, total: total) }

    /// - Parameter load: returns the bytes of what it has loaded, too.
    /// - Returns: what has to be held until that is sent; `nil` where it is little.
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
        // It is not kept while it waits, nor keeps what is little from being read.
        try await line.begin(bytes, of: account)
        let turn = Turn(line, bytes: bytes, account: account)
        return (try await reads.run(of: account) { try await load().0 }, turn)
    }

    /// Room that is taken until nobody holds this any more.
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

    /// Lets go of what is sent: so many bytes are not yet, and they are the latest.
    mutating func release(downTo unsent: Int) {
        while let first = turns.first, bytes - first.bytes >= unsent {
            bytes -= first.bytes
            turns.removeFirst()
        }
    }
}
