import BLIPProtocol
import NIOConcurrencyHelpers
import NIOCore

/// The commands of a connection's users.
enum ConnectionCommand: Sendable {
    case start(any BLIPConnectionDelegate, (any BLIPMemory)?)
    case send([BLIPOutgoing])
    case pauseReading
    case resumeReading
    case check
    case close(code: UInt16, reason: String)
    case abort
}

/// Carries commands from any thread to the event loop, many at a time.
final class ConnectionMailbox: Sendable {
    private let commands = NIOLockedValueBox<[ConnectionCommand]>([])

    /// Whether the caller has to wake the event loop, because no other caller has since its last look.
    func put(_ command: ConnectionCommand) -> Bool {
        commands.withLockedValue { commands in
            commands.append(command)
            return commands.count == 1
        }
    }

    func takeAll() -> [ConnectionCommand] {
        commands.withLockedValue { commands in
            defer { commands = [] }
            return commands
        }
    }
}
