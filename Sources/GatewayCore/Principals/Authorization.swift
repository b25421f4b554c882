import DocumentValues
import Synchronization

/// The authorization of a request or a connection: when it is revoked, the request or connection has to end.
package struct Authorization: Sendable, Hashable {
    /// `nil` for an administrator.
    let name: Name?
    /// A new password, and the end of all sessions, begin another generation.
    let generation: Int64
    /// As in `StoredPrincipal`: a user who was disabled, or deleted and made again, has to sign in again, even if the user
    /// was enabled again before a check.
    let authorizedSince: UInt64
    let means: Means
    /// Of the database: after an interruption it is another one to its clients.
    let epoch: UInt64
}

extension Authorization {
    /// How a user has signed in.
    enum Means: Sendable, Hashable {
        /// A password, a token, or nothing: new ones end no connection, as with Sync Gateway.
        case credentials
        /// A session, by its key: the authorization ends with it.
        case session([UInt8])
        /// A session that ended with its use: the authorization ends with all sessions of the user.
        case usedSession
    }
}

/// A user who was let in, with the authorization. Both are of the state in which the credentials were checked: a revocation
/// since then has ended the authorization, too.
package struct SignedIn: Sendable {
    package let requester: Requester
    package let authorization: Authorization
    /// Set when the session was prolonged and its cookie has to be sent again.
    package var renewed: NewSession?
}

/// Why an authorization ends.
package enum SessionRevocation: Sendable {
    /// The user is disabled or deleted, or the session has ended.
    case unwelcome
    /// The database went offline, was deleted or has another configuration: a client that returns finds out.
    case databaseChanged

    /// The answer to the client.
    package var reason: String {
        switch self {
        case .unwelcome: GatewayError.signInAgain.reason
        case .databaseChanged: GatewayError.databaseChanged.reason
        }
    }
}

extension PrincipalService {
    /// The authorization of an administrator lasts as long as the database.
    package var authorizationOfAdministrator: Authorization {
        Authorization(name: nil, generation: 0, authorizedSince: 0, means: .credentials, epoch: commits.epoch)
    }

    /// Returns when the database is interrupted, or when the authorization is gone: the user was disabled or deleted, or the
    /// session was ended. A user who signed in with a password stays after a change of the password, as in Sync Gateway.
    package func waitForRevocation(of authorization: Authorization) async throws -> SessionRevocation {
        do {
            while status.state == .online, commits.epoch == authorization.epoch {
                let sequence = commits.lastSequence
                guard try await holds(authorization) else { return .unwelcome }
                let topics = authorization.name.map { [CommitEvents.Topic.principal($0)] } ?? []
                try await commits.wait(for: topics, after: sequence, epoch: authorization.epoch)
            }
        } catch  where commits.epoch != authorization.epoch {
            // After any error: the database may be closed by now.
            return .databaseChanged
        }
        return .databaseChanged
    }

    /// Whether it is in force.
    package func holds(_ authorization: Authorization) async throws -> Bool {
        guard let name = authorization.name else { return true }
        guard let user = try await views.knownUser(name), !user.isDisabled,
            user.authorizedSince == authorization.authorizedSince
        else {
            return false
        }
        let isOfGeneration = user.sessionGeneration == authorization.generation
        switch authorization.means {
        case .credentials: return true
        case .usedSession: return isOfGeneration
        case .session(let key):
            guard isOfGeneration else { return false }
            if let inPlace = store.inPlace { return try inPlace.session(key) != nil }
            return try await store.read { try await $0.sessions.find(key) } != nil
        }
    }
}
