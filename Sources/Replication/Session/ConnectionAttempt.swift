import BLIPTransport
import NIOCore
import Synchronization

/// One attempt to connect, from code that is not asynchronous.
///
/// A replicator is started and stopped by plain calls, while connecting is asynchronous: this is the one type where the
/// two meet. The task is owned here, reports exactly once, and ends with `cancel()`.
final class ConnectionAttempt: Sendable {
    private let task: Task<Void, Never>

    /// - Parameter completion: called once, on any thread, even after `cancel()`.
    init(
        _ configuration: BLIPClientConfiguration,
        completion: @escaping @Sendable (Result<BLIPConnection, TransportError>) -> Void
    ) {
        task = Task {
            do throws(TransportError) {
                let connection = try await BLIPConnector.connect(configuration, group: try EventLoops.shared())
                completion(.success(connection))
            } catch {
                completion(.failure(error))
            }
        }
    }

    func cancel() { task.cancel() }
}
