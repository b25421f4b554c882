import GatewayCore
import NIOCore
import Synchronization

/// Keeps why handshakes were refused until the routes answer the same request: so a wrong password is neither checked
/// nor counted twice.
final class HandshakeRefusals: Sendable {
    /// A refusal after a correct sign-in, which the routes only repeat.
    struct Final: Error {
        let error: GatewayError

        init(_ error: GatewayError) { self.error = error }
    }

    private let refusals = Mutex<[ObjectIdentifier: any Error]>([:])

    /// - Parameter channel: the connection whose first request it was.
    func note(_ error: any Error, of channel: any Channel) {
        let final = (error as? Final)?.error
        guard let error = final ?? (LoginGuard.counts(error) ? error : nil) else { return }
        let key = ObjectIdentifier(channel)
        refusals.withLock { $0[key] = error }
        channel.closeFuture.whenComplete { [self] _ in _ = take(key) }
    }

    func take(of channel: any Channel) -> (any Error)? { take(ObjectIdentifier(channel)) }

    private func take(_ key: ObjectIdentifier) -> (any Error)? {
        refusals.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) }
    }
}
