import AccessControl
import DocumentValues
import GatewayCore
import Logging
import Synchronization

/// Writes refused attempts to sign in into the log: some of each address. The audit log has more of
/// them, and counts the rest.
final class RefusedSignIns: Sendable {
    private let pace = Mutex(LogPace(limit: LoginLimits.refusalsLogged))
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - user: the name that the client sends; empty for a token that belongs to no user.
    ///   - database: `nil` for the admin and metrics ports.
    ///   - status: 401 for wrong credentials, 429 for an attempt that came too early.
    func note(_ user: String, in database: String?, from client: String, status: Int, logger: Logger) {
        let seconds = start.duration(to: .now).components.seconds
        switch pace.withLock({ $0.note(Name(client), at: seconds) }) {
        case .listed:
            logger.info(
                "Refused a sign-in",
                metadata: [
                    "db": "\(database ?? "(administration)")", "user": "\(user)", "client": "\(client)",
                    "status": "\(status)",
                ])
        case .firstCounted:
            logger.warning(
                "\(LoginLimits.refusalsLogged) refused sign-ins from one address within a minute; more are in the audit log",
                metadata: ["client": "\(client)"])
        case .counted: break
        }
    }
}
