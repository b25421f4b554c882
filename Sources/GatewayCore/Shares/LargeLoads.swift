import DocumentValues
import NIOCore

/// Large revisions on their way to clients. One is sent to each client whatever waits for others, and a user may have thousands
/// of connections that read nothing: so those of an account wait for each other, with two loaded.
package final class LargeLoads: Sendable {
    private let turns = ReadTurns(limit: GatewayLimits.readsOfAccount)
    private let line: MemoryLine

    /// - Parameter total: bytes of all that is on its way; no account takes more than it leaves for all others.
    package init(total: Int) { line = MemoryLine(total: total) }

    /// - Parameter load: returns the bytes of what it has loaded, too.
    /// - Returns: what has to be held until that is sent; `nil` where it is little.
    func load<Value: Sendable>(
        for account: Name, _ load: () async throws -> (Value, bytes: Int)
    ) async throws -> (Value, Turn?) {
        try await turns.run(of: account) {
            let (value, bytes) = try await load()
            guard bytes > GatewayLimits.largeLoad else { return (value, nil) }
            await line.begin(bytes, of: account)
            return (value, Turn(line, bytes: bytes, account: account))
        }
    }

    /// Room that is taken until nobody holds this any more.
    final class Turn: Sendable {
        let bytes: Int
        private let line: MemoryLine
        private let account: Name

        fileprivate init(_ line: MemoryLine, bytes: Int, account: Name) {
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
