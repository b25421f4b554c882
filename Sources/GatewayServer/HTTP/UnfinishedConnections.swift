import NIOCore
import Synchronization

/// Connections of a port that have not asked for anything yet. Beyond a number of them the oldest is closed: who opens many
/// and asks for nothing keeps nobody out.
final class UnfinishedConnections: Sendable {
    private let limit: Int
    /// The oldest first.
    private let channels = Mutex<[any Channel]>([])

    init(limit: Int) { self.limit = limit }

    func add(_ channel: any Channel) {
        let oldest = channels.withLock { channels -> (any Channel)? in
            channels.append(channel)
            return channels.count > limit ? channels.removeFirst() : nil
        }
        oldest?.close(promise: nil)
    }

    func remove(_ channel: any Channel) { channels.withLock { $0.removeAll { $0 === channel } } }
}
