import GatewayCore
import NIOCore
import Synchronization

/// Keeps that handshakes were refused, and why, until the routes answer the same requests.
final class HandshakeRefusals: Sendable {
    /// A refusal after a correct sign-in, which the routes only repeat.
    struct Final: Error {
        let error: GatewayError

        init(_ error: GatewayError) { self.error = error }
    }

    /// What the routes do with a refused handshake.
    enum Outcome: Sendable {
        /// They answer with this error. So a wrong password is neither checked nor counted twice.
        case kept(any Error)
        /// They examine the request again. If they find no reason to refuse it, the reason has passed.
        case open
    }

    private let outcomes = Mutex<[ObjectIdentifier: Outcome]>([:])

    /// - Parameter channel: the connection whose first request it was.
    func note(_ error: any Error, of channel: any Channel) {
        let key = ObjectIdentifier(channel)
        let outcome = Self.outcome(of: error)
        outcomes.withLock { $0[key] = outcome }
        channel.closeFuture.whenComplete { [self] _ in _ = take(key) }
    }

    private static func outcome(of error: any Error) -> Outcome {
        if let final = error as? Final { return .kept(final.error) }
        return LoginGuard.counts(error) ? .kept(error) : .open
    }

    func take(of channel: any Channel) -> Outcome? { take(ObjectIdentifier(channel)) }

    private func take(_ key: ObjectIdentifier) -> Outcome? {
        outcomes.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) }
    }
}
