import DocumentValues
import Synchronization

/// With what somebody came in to stay: when that holds no more, neither does the stay.
package struct Authorization: Sendable, Hashable {
    /// `nil` for an administrator.
    let name: Name?
    /// A new password, and the end of all sessions, begin another generation.
    let generation: Int64
    /// Who was disabled, or deleted and made again, may not stay, also where that is over before anybody looks.
    let stay: UInt64
    /// Of the session that it came in with, unless that ended with its use.
    let session: [UInt8]?
    /// Of the database: after an interruption it is another one to its clients.
    let epoch: UInt64
}

/// Why somebody's stay ends.
package enum SessionRevocation: Sendable {
    /// The user is disabled or deleted, or the session has ended.
    case unwelcome
    /// It went offline, was deleted or has another configuration: anybody who comes back finds out.
    case databaseChanged

    /// What the client is answered.
    package var reason: String {
        switch self {
        case .unwelcome: "Sign in again"
        case .databaseChanged: "The database has changed"
        }
    }
}

extension PrincipalService {
    /// 401 where the session has ended since.
    ///
    /// - Parameters:
    ///   - session: the id of the session by which the requester was let in, if it was one.
    ///   - mayBeUsedUp: it may be one that ended with that.
    package func authorization(
        of requester: Requester, session id: String?, mayBeUsedUp: Bool = false
    ) async throws -> Authorization {
        let epoch = commits.epoch
        guard let name = requester.userName else {
            return Authorization(name: nil, generation: 0, stay: 0, session: nil, epoch: epoch)
        }
        let key = id.map { Session.key($0, secret: sessionKey) }
        guard let user = try await views.knownUser(name) else { throw GatewayError.invalidLogin }
        let isKept = try key.map { key in try store.readInPlace { try $0.sessions.find(key) != nil } } ?? false
        guard key == nil || isKept || mayBeUsedUp else { throw GatewayError.invalidSession }
        return Authorization(
            name: name, generation: user.sessionGeneration, stay: user.stay, session: isKept ? key : nil, epoch: epoch)
    }

    /// Returns when the database is interrupted, or when the authorization is gone: the user was disabled or deleted, or the
    /// session was ended. Anybody who came in with a password stays when there is a new one, as with Sync Gateway.
    package func waitForRevocation(of authorization: Authorization) async throws -> SessionRevocation {
        do {
            while status.state == .online, commits.epoch == authorization.epoch {
                let sequence = commits.lastSequence
                guard try await holds(authorization) else { return .unwelcome }
                let topics = authorization.name.map { [CommitEvents.Topic.principal($0)] } ?? []
                try await commits.wait(for: topics, after: sequence, epoch: authorization.epoch)
            }
        } catch  where commits.epoch != authorization.epoch {
            // Whatever failed: the database may be closed by now.
            return .databaseChanged
        }
        return .databaseChanged
    }

    /// Whether somebody may stay.
    package func holds(_ authorization: Authorization) async throws -> Bool {
        guard let name = authorization.name else { return true }
        guard let user = try await views.knownUser(name), !user.isDisabled, user.stay == authorization.stay else {
            return false
        }
        guard let session = authorization.session else { return true }
        guard user.sessionGeneration == authorization.generation else { return false }
        return try store.readInPlace { try $0.sessions.find(session) != nil }
    }
}
