import NIOCore
import Synchronization

/// Connections of a port without a request. Beyond a number of them the oldest is closed, so that a client with many idle
/// connections cannot keep others out.
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
