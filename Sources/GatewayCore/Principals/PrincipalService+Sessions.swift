import AccessControl
import DocumentValues
import Logging
import SodiumCrypto
import Synchronization

/// Finds the user of a request, and manages sessions.
extension PrincipalService {
    /// Throws 401 `Invalid login`, the same for a wrong name, a wrong password and a disabled user.
    ///
    /// - Parameter address: the client's address, as far as the gateway knows it.
    package func authenticate(name: Name, password: String, from address: String = "") async throws -> SignedIn {
        try status.checkOnline()
        let epoch = commits.epoch
        let isOfPerson = name != PrincipalName.guest && PrincipalName.role(ofKey: name) == nil
        let user = isOfPerson ? try await views.knownUser(name) : nil
        if let user, let hash = user.password,
            credentials.remembers(name: name.text, password: password, hash: hash)
        {
            guard !user.isDisabled else { throw GatewayError.invalidLogin }
            return SignedIn(requester: .user(name), authorization: Authorization(of: user, epoch: epoch))
        }
        let present = try await compare(password, with: user, named: name, from: address)
        if let hash = present.password { await renew(hash, of: name, password: password) }
        return SignedIn(requester: .user(name), authorization: Authorization(of: present, epoch: epoch))
    }

    /// Compares a password with the user's. That takes a while, in which the user may change: so the user is read again, and
    /// the password compared again if its hash is another one, be it that of a new password or of the same.
    ///
    /// - Returns: the user as of the end.
    private func compare(
        _ password: String, with user: UserContext?, named name: Name, from address: String
    ) async throws -> UserContext {
        var hash = user?.password
        for _ in 0..<GatewayLimits.passwordComparisons {
            let isRight = try await credentials.verify(
                name: name.text, password: password, hash: hash, from: address)
            let present = user == nil ? nil : try await views.knownUser(name)
            guard let present, !present.isDisabled, let presentHash = present.password else { break }
            guard presentHash != hash else {
                guard isRight else { break }
                return present
            }
            hash = presentHash
        }
        throw GatewayError.invalidLogin
    }

    /// Replaces the hash of a right password if it was made at another cost. Sessions and connections go on, and so does this
    /// sign-in if that fails: the next one tries it again.
    private func renew(_ hash: String, of user: Name, password: String) async {
        do {
            let renewal = try await credentials.renewal(name: user.text, password: password, of: hash)
            guard let renewal else { return }
            try await store.write(for: user) { transaction in
                guard var principal = try await transaction.reader.principals.find(user), principal.password == hash
                else { return }
                principal.password = renewal
                try await transaction.principals.put(principal)
                transaction.noteChange(ofPrincipal: user)
            }
        } catch {
            environment.logger.warning(
                "The hash of a password cannot be renewed", metadata: ["user": "\(user.text)", "error": "\(error)"])
        }
    }

    /// The guest, or 401 `Login required` if the database has none.
    package func authenticateGuest() async throws -> SignedIn {
        try status.checkOnline()
        let epoch = commits.epoch
        guard let guest = try await views.knownUser(PrincipalName.guest), !guest.isDisabled else {
            throw GatewayError.loginRequired
        }
        return SignedIn(requester: .guest, authorization: Authorization(of: guest, epoch: epoch))
    }

    /// Throws 401 `Session Invalid` or `Session no longer valid for user`.
    package func authenticate(session id: String) async throws -> SignedIn {
        try status.checkOnline()
        let (now, epoch) = (now, commits.epoch)
        let key = Session.key(id, secret: sessionKey)
        let (session, principal) = try await validSession(key, at: now)
        var result = SignedIn(
            requester: .user(session.user),
            authorization: Authorization(
                name: session.user, generation: session.generation, authorizedSince: principal.authorizedSince,
                means: session.isOneTime ? .usedSession : .session(key), epoch: epoch))
        if session.isOneTime {
            try await use(key, of: session.user)
        } else if session.isDueForRenewal(now: now), try await renew(key, of: session.user, now: now) {
            result.renewed = NewSession(id: id, user: session.user, expires: now + session.lifetime)
        }
        return result
    }

    private typealias SessionOfUser = (session: Session, user: StoredPrincipal)

    /// A session that is valid, with its user. That of a user who cannot be read has ended, as that of a disabled user.
    private func validSession(_ key: [UInt8], at now: Int64) async throws -> SessionOfUser {
        do {
            if let inPlace = store.inPlace { return try Self.valid(inPlace.signedIn(with: key), at: now) }
            return try await store.read { try await Self.session(key, at: now, in: $0) }
        } catch is DamagedPrincipal {
            throw GatewayError.endedSession
        }
    }

    private static func session(
        _ key: [UInt8], at now: Int64, in store: any StoreReader
    ) async throws -> SessionOfUser {
        guard let session = try await store.sessions.find(key) else { throw GatewayError.invalidSession }
        let principal = try await store.principals.find(session.user)
        return try valid(principal.map { (session: session, user: $0) }, at: now)
    }

    private static func valid(_ found: SessionOfUser?, at now: Int64) throws(GatewayError) -> SessionOfUser {
        guard let (session, principal) = found, session.expires > now else { throw .invalidSession }
        guard session.generation == principal.sessionGeneration, !principal.isDisabled else {
            throw GatewayError.endedSession
        }
        return (session, principal)
    }

    /// Lets the session last longer.
    ///
    /// - Returns: false on a full disk. That is no error: the session is still valid for a while, and its user may only need
    ///   to read.
    private func renew(_ key: [UInt8], of user: Name, now: Int64) async throws -> Bool {
        do {
            try await store.write(for: user) { transaction in
                // If the session has ended since it was read, it must not come back.
                var session = try await Self.session(key, at: now, in: transaction.reader).session
                session.expires = now + session.lifetime
                try await transaction.sessions.put(session)
            }
            return true
        } catch  where StorageFailure.isFullDisk(error) {
            return false
        }
    }

    /// Ends a one-time session. If several requests present it at the same time, only one succeeds.
    private func use(_ key: [UInt8], of user: Name) async throws {
        let now = now
        try await store.write(for: user) { transaction in
            _ = try await Self.session(key, at: now, in: transaction.reader)
            try await transaction.sessions.delete(key)
        }
    }

    /// A session for a user who has signed in; 401 if that sign-in is no longer valid.
    package func createSession(for person: SignedIn, isOneTime: Bool = false) async throws -> NewSession {
        try await createSession(
            user: person.requester.userName ?? "", as: person.authorization, isOneTime: isOneTime)
    }

    /// Throws 404 `No such user "x"`.
    ///
    /// - Parameters:
    ///   - authorization: the user's sign-in; `nil` if an administrator makes the session.
    ///   - lifetime: in seconds.
    package func createSession(
        user: Name, as authorization: Authorization? = nil, lifetime: Int64? = nil, isOneTime: Bool = false
    ) async throws -> NewSession {
        let standard = isOneTime ? GatewayLimits.oneTimeSessionLifetime : GatewayLimits.sessionLifetime
        let lifetime = lifetime ?? standard
        let id = Hexadecimal.encode(SecureRandom.bytes(20))
        let expires = now + lifetime
        let key = Session.key(id, secret: sessionKey)
        try await store.write(for: user) { transaction in
            guard let principal = try await transaction.reader.principals.find(user), !principal.isRole else {
                throw GatewayError.noSuchUser(user)
            }
            guard !principal.isDisabled else { throw GatewayError.disabledUser }
            if let authorization {
                guard principal.authorizedSince == authorization.authorizedSince,
                    principal.sessionGeneration == authorization.generation
                else { throw GatewayError.invalidLogin }
            }
            if try await transaction.sessions.deleteOldest(of: user, leaving: GatewayLimits.sessionsOfUser - 1) {
                transaction.noteChange(ofPrincipal: user)
            }
            try await transaction.sessions.put(
                Session(
                    key: key, user: user, expires: expires, lifetime: lifetime,
                    generation: principal.sessionGeneration, isOneTime: isOneTime))
        }
        return NewSession(id: id, user: user, expires: expires)
    }

    /// The name of a session's user; 404 `missing`.
    package func sessionUser(_ id: String) async throws -> Name {
        let key = Session.key(id, secret: sessionKey)
        let (session, principal) = try await store.read { store -> (Session?, StoredPrincipal?) in
            guard let session = try await store.sessions.find(key) else {
                return (nil, nil)
            }
            return (session, try await store.principals.find(session.user))
        }
        guard let session, session.expires > now, session.generation == principal?.sessionGeneration else {
            throw GatewayError.missing
        }
        return session.user
    }

    /// Throws 404 `missing`, also for the session of another user than `user`.
    ///
    /// - Parameter isRevoked: whether an administrator ends the session, and not its user: administrators may use the
    ///   reserve of a full disk.
    package func deleteSession(_ id: String, user: Name? = nil, isRevoked: Bool = true) async throws {
        let (key, now) = (Session.key(id, secret: sessionKey), now)
        try await store.write(mayUseReserve: isRevoked) { transaction in
            guard let session = try await transaction.reader.sessions.find(key), session.expires > now,
                user == nil || user == session.user
            else { throw GatewayError.missing }
            try await transaction.sessions.delete(key)
            transaction.noteChange(ofPrincipal: session.user)
        }
    }

    /// Makes all sessions of the user invalid.
    package func deleteSessions(of user: Name) async throws {
        try await store.write(mayUseReserve: true) { transaction in
            guard var principal = try await transaction.reader.principals.find(user), !principal.isRole else {
                throw GatewayError.missing
            }
            principal.sessionGeneration += 1
            try await transaction.principals.put(principal)
            transaction.noteChange(ofPrincipal: user)
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
    /// The user's channels in the default collection, with the sequences since which they are held; without the
    /// channels of roles.
    private func ownChannels(of requester: Requester) async throws -> [Name: UInt64] {
        guard let name = requester.userName ?? (requester == .guest ? PrincipalName.guest : nil) else {
            return try await views.view(of: requester, in: .default).0.channels.since
        }
        let names = setup.names
        let grants = try await store.read { store in
            try await PrincipalLoader(store: store, collections: names).user(name)?.grants
        }
        return [Channel.everybody: 1].merging(grants?.channels.held[.default]?.since ?? [:]) { own, _ in own }
    }
}

extension Authorization {
    /// For a user who signed in without a session.
    init(of user: UserContext, epoch: UInt64) {
        self.init(
            name: user.grants.name, generation: user.sessionGeneration, authorizedSince: user.authorizedSince,
            means: .credentials,
            epoch: epoch)
    }
}
