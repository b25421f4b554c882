import Foundation
import Synchronization

/// What was acknowledged to clients while they loaded a gateway: all of it has to hold afterwards.
final class LoadRecord: Sendable {
    struct Acknowledged: Sendable {
        let id: String
        let revision: String
    }

    struct Row: Sendable {
        let sequence: UInt64
        let revision: String
    }

    private struct State {
        var isOver = false
        /// Answered with 201.
        var writes: [Acknowledged] = []
        /// Ids whose push the gateway acknowledged.
        var pushes: [String] = []
        /// The latest that somebody saw of each document in a feed.
        var rows: [String: Row] = [:]
        var troubles: [String] = []
    }

    private let state = Mutex(State())

    /// Set when the clients shall end.
    var isOver: Bool {
        get { state.withLock { $0.isOver } }
        set { state.withLock { $0.isOver = newValue } }
    }

    var count: Int { state.withLock { $0.writes.count + $0.pushes.count } }
    var writes: [Acknowledged] { state.withLock { $0.writes } }
    var pushes: [String] { state.withLock { $0.pushes } }
    var rows: [String: Row] { state.withLock { $0.rows } }
    var troubles: [String] { state.withLock { $0.troubles } }

    func acknowledge(_ writes: [Acknowledged]) { state.withLock { $0.writes += writes } }
    func acknowledge(pushes: [String]) { state.withLock { $0.pushes += pushes } }
    func report(_ trouble: String) { state.withLock { $0.troubles.append(trouble) } }

    func see(_ row: Row, of id: String) { state.withLock { $0.rows[id] = row } }
}

/// A client on a thread of its own that goes on until the load is over.
final class LoadThread {
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter step: false if the client has to wait, such as for a gateway that is not to be reached.
    init(_ record: LoadRecord, _ step: @escaping @Sendable () -> Bool) {
        let end = end
        Thread.detachNewThread {
            while !record.isOver {
                // A client that has to wait does not ask again at once.
                if !step() { usleep(10_000) }
            }
            end.signal()
        }
    }

    /// - Returns: whether it has ended within the limit.
    func join(within limit: DispatchTimeInterval = .seconds(60)) -> Bool {
        end.wait(timeout: .now() + limit) == .success
    }
}
