import BLIPProtocol
import NIOConcurrencyHelpers
import NIOCore

/// What the users of a connection ask of it.
enum ConnectionCommand: Sendable {
    case start(any BLIPConnectionDelegate, (any BLIPMemory)?)
    case send([BLIPOutgoing])
    case pauseReading
    case resumeReading
    case check
    case close(code: UInt16, reason: String)
    case abort
}

/// Carries commands from any thread to the event loop, many a hop.
final class ConnectionMailbox: Sendable {
    private let commands = NIOLockedValueBox<[ConnectionCommand]>([])

    /// Whether the caller has to wake the event loop: nobody else has since it last looked.
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
