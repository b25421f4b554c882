import NIOCore
import Synchronization

/// Why handshakes were refused, until the routes answer the same request: a password that was found wrong is neither
/// checked nor counted again for it.
final class HandshakeRefusals: Sendable {
    private let refusals = Mutex<[ObjectIdentifier: any Error]>([:])

    /// - Parameter channel: the connection whose first request it was.
    func note(_ error: any Error, of channel: any Channel) {
        guard LoginGuard.counts(error) else { return }
        let key = ObjectIdentifier(channel)
        refusals.withLock { $0[key] = error }
        channel.closeFuture.whenComplete { [self] _ in _ = take(key) }
    }

    func take(of channel: any Channel) -> (any Error)? { take(ObjectIdentifier(channel)) }

    private func take(_ key: ObjectIdentifier) -> (any Error)? {
        refusals.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) }
    }
}
