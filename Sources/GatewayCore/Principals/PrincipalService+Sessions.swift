import AccessControl
import DocumentValues
import SodiumCrypto
import Synchronization

/// Who a request is from.
extension PrincipalService {
    /// 401 `Invalid login` for a wrong name, a wrong password and a disabled user alike.
    ///
    /// - Parameter address: where the client is, as far as the gateway knows.
    package func authenticate(name: Name, password: String, from address: String = "") async throws -> Requester {
        try status.checkOnline()
        let isOfPerson = name != PrincipalName.guest && PrincipalName.role(ofKey: name) == nil
        let user = isOfPerson ? try await views.knownUser(name) : nil
        let isRight = try await credentials.verify(
            name: name.text, password: password, hash: user?.password, from: address)
        guard isRight, let user else { throw GatewayError.invalidLogin }
        // The check takes a while, and may have waited for others: what counts is the user as they are by now.
        guard let present = try await views.knownUser(name), !present.isDisabled, present.password == user.password
        else {
            throw GatewayError.invalidLogin
        }
        return .user(name)
    }

    /// The guest, or 401 `Login required` where the database has none.
    package func authenticateGuest() async throws -> Requester {
        try status.checkOnline()
        guard let guest = try await views.knownUser(PrincipalName.guest), !guest.isDisabled else {
            throw GatewayError.loginRequired
        }
        return .guest
    }

    /// 401 `Session Invalid` or `Session no longer valid for user`. `renewed` is set when the session was prolonged and
    /// its cookie has to be sent again.
    package func authenticate(session id: String) async throws -> (requester: Requester, renewed: NewSession?) {
        try status.checkOnline()
        let now = now
        let key = Session.key(id, secret: sessionKey)
        let (session, principal) = try store.readInPlace { store in
            let session = try store.sessions.find(key)
            return (session, try session.flatMap { try store.principals.find($0.user) })
        }
        guard let session, session.expires > now, let principal else { throw GatewayError.invalidSession }
        guard session.generation == principal.sessionGeneration, !principal.isDisabled else {
            throw GatewayError(401, reason: "Session no longer valid for user")
        }
        if session.isOneTime {
            try await use(key, of: session.user)
            return (.user(session.user), nil)
        }
        guard session.isDueForRenewal(now: now) else { return (.user(session.user), nil) }
        do {
            try await store.write(for: session.user) { transaction in
                // It may have been deleted meanwhile; then it must not come back.
                guard var current = try transaction.reader.sessions.find(key) else { throw GatewayError.invalidSession }
                current.expires = now + current.lifetime
                try transaction.sessions.put(current)
            }
        } catch  where StorageFailure.isFullDisk(error) {
            // It is valid for a while, and who comes with it may want to read.
            return (.user(session.user), nil)
        }
        return (.user(session.user), NewSession(id: id, user: session.user, expires: now + session.lifetime))
    }

    /// Ends a one-time session. Of several who present it at the same time one gets through.
    private func use(_ key: [UInt8], of user: Name) async throws {
        try await store.write(for: user) { transaction in
            guard try transaction.reader.sessions.find(key) != nil else { throw GatewayError.invalidSession }
            try transaction.sessions.delete(key)
        }
    }

    /// 404 `No such user "x"`. `lifetime` in seconds.
    package func createSession(
        user: Name, lifetime: Int64? = nil, isOneTime: Bool = false
    ) async throws -> NewSession {
        let standard = isOneTime ? GatewayLimits.oneTimeSessionLifetime : GatewayLimits.sessionLifetime
        let lifetime = lifetime ?? standard
        let id = Hexadecimal.encode(SecureRandom.bytes(20))
        let expires = now + lifetime
        let key = Session.key(id, secret: sessionKey)
        try await store.write(for: user) { transaction in
            guard let principal = try transaction.reader.principals.find(user), !principal.isRole else {
                throw GatewayError(404, reason: "No such user \"\(user)\"")
            }
            guard !principal.isDisabled else { throw GatewayError(400, reason: "User is disabled") }
            if try transaction.sessions.deleteOldest(of: user, leaving: GatewayLimits.sessionsOfUser - 1) {
                Self.report(user, transaction)
            }
            try transaction.sessions.put(
                Session(
                    key: key, user: user, expires: expires, lifetime: lifetime,
                    generation: principal.sessionGeneration, isOneTime: isOneTime))
        }
        return NewSession(id: id, user: user, expires: expires)
    }

    /// The name of a session's user; 404 `missing`.
    package func sessionUser(_ id: String) async throws -> Name {
        let key = Session.key(id, secret: sessionKey)
        let (session, principal) = try await store.read { store in
            let session = try store.sessions.find(key)
            return (session, try session.flatMap { try store.principals.find($0.user) })
        }
        guard let session, session.expires > now, session.generation == principal?.sessionGeneration else {
            throw GatewayError.missing
        }
        return session.user
    }

    /// 404 `missing`, or of another user than the one named.
    ///
    /// - Parameter isRevoked: an administrator ends it, who finds room on a full disk; not its user.
    package func deleteSession(_ id: String, user: Name? = nil, isRevoked: Bool = true) async throws {
        let (key, now) = (Session.key(id, secret: sessionKey), now)
        try await store.write(mayUseReserve: isRevoked) { transaction in
            guard let session = try transaction.reader.sessions.find(key), session.expires > now,
                user == nil || user == session.user
            else { throw GatewayError.missing }
            try transaction.sessions.delete(key)
            Self.report(session.user, transaction)
        }
    }

    /// Who came in with a session is to notice that it is gone; a sequence of its own makes sure of that.
    private static func report(_ user: Name, _ transaction: WriteTransaction) {
        _ = transaction.nextSequence()
        transaction.effects.principals.insert(user)
    }

    /// They are void from now on, no matter who holds them.
    package func deleteSessions(of user: Name) async throws {
        try await store.write(mayUseReserve: true) { transaction in
            guard var principal = try transaction.reader.principals.find(user), !principal.isRole else {
                throw GatewayError.missing
            }
            principal.sessionGeneration += 1
            try transaction.principals.put(principal)
            Self.report(user, transaction)
        }
    }

    /// The `userCtx` of `GET _session`: `{"channels":{…} or null,"name":…}`; channels of the default collection.
    package func userContext(of requester: Requester?) async throws -> JSONObject {
        var channels = JSONValue.null
        if let requester, setup.collections[.default] != nil {
            let since = try await ownChannels(of: requester)
            channels = .object(
                JSONObject(
                    members: since.sorted { $0.key < $1.key }.map {
                        JSONObject.Member(key: $0.key.text, value: .number(JSONNumber($0.value)))
                    }))
        }
        let name: JSONValue
        switch requester {
        case .user(let user)?: name = .string(user.text)
        case .admin?, .guest?, nil: name = .null
        }
        return ["channels": channels, "name": name]
    }
}

extension PrincipalService {
    /// The channels of the default collection and since when they are held, without those that come through roles.
    private func ownChannels(of requester: Requester) async throws -> [Name: UInt64] {
        guard let name = requester.userName ?? (requester == .guest ? PrincipalName.guest : nil) else {
            return try await views.view(of: requester, in: .default).0.channels.since
        }
        let names = setup.names
        let grants = try await store.read { try PrincipalLoader(store: $0, collections: names).user(name)?.grants }
        return [Channel.everybody: 1].merging(grants?.channels.held[.default]?.since ?? [:]) { own, _ in own }
    }
}

extension GatewayError {
    static let invalidSession = GatewayError(401, reason: "Session Invalid")
}
