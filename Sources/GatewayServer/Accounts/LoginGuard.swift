import DocumentValues
import GatewayCore
import HTTPTypes
import Synchronization

/// Lets attempts to sign in pass, or refuses them with 429.
package final class LoginGuard: Sendable {
    private let throttle = Mutex(LoginThrottle())
    private let start = ContinuousClock.now

    /// Runs one check of a password. An error with 401 counts as a wrong password, and so does one with 429, which
    /// means that the queue of checks was full: a client that fills the queue must not get free guesses.
    ///
    /// If one of several simultaneous attempts was one too many, all get the same answer: a client that tries many at once
    /// learns nothing from them.
    func attempt<Value>(_ key: LoginThrottle.Key, check: () async throws -> Value) async throws -> Value {
        try refuseEarly(key)
        let value: Value
        do {
            value = try await check()
        } catch {
            guard Self.counts(error) else { throw error }
            let now = now
            let wait = throttle.withLock { throttle in
                // An attempt that came too early does not make the wait longer.
                if let wait = throttle.wait(key, now: now) { return wait as Duration? }
                throttle.failed(key, now: now)
                return nil
            }
            if let wait { throw Self.refusal(wait) }
            throw error
        }
        try refuseEarly(key)
        throttle.withLock { $0.succeeded(key) }
        return value
    }

    /// An administrator has given the user a new password, or lets the user sign in again, if the wrong passwords of others
    /// have locked them out.
    func forgive(_ name: Name, of database: String) { throttle.withLock { $0.forgive(name, of: database) } }

    private var now: Duration { start.duration(to: .now) }

    private func refuseEarly(_ key: LoginThrottle.Key) throws {
        let now = now
        if let wait = throttle.withLock({ $0.wait(key, now: now) }) { throw Self.refusal(wait) }
    }

    /// Whether it refuses a login.
    static func counts(_ error: any Error) -> Bool {
        let status = (error as? Refusal)?.error.status ?? (error as? GatewayError)?.status
        return status == 401 || status == 429
    }

    private static func refusal(_ wait: Duration) -> Refusal {
        let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
        return Refusal(
            GatewayError.tooManyFailedLogins(secondsLeft: seconds),
            headers: [.retryAfter: "\(max(1, seconds))"])
    }
}
