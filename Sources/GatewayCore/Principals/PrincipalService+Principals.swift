import AccessControl
import DocumentValues
import Synchronization

/// Whether a `PUT` or `POST` made a new user or role.
package enum UpsertOutcome: Sendable, Hashable { case created, updated }

/// Users and roles, as JSON in the shape of the admin API.
extension PrincipalService {
    package func userNames() async throws -> [Name] {
        try await store.read { store in
            try await store.principals.names(roles: false, includingDeleted: false).filter { $0 != PrincipalName.guest }
        }
    }

    package func roleNames(includingDeleted: Bool = false) async throws -> [Name] {
        try await store.read { try await $0.principals.names(roles: true, includingDeleted: includingDeleted) }
    }

    /// A text that changes with each change of the user; `nil` if there is no such user.
    package func version(ofUser name: Name) async throws -> String? { try await version(of: name) }

    package func version(ofRole name: Name) async throws -> String? {
        try await version(of: StoredPrincipal.roleKey(name))
    }

    private func version(of key: Name) async throws -> String? {
        try await store.read { try await $0.principals.find(key)?.version }
    }

    /// Throws 404 `missing`; the guest always exists.
    package func user(_ name: Name) async throws -> JSONObject {
        let (names, collections) = (setup.names, status.collections)
        return try await store.read { store in
            guard let principal = try await store.principals.find(name) else {
                guard name == PrincipalName.guest else { throw GatewayError.missing }
                return ["name": .string(name.text), "email": "", "disabled": true]
            }
            guard !principal.isRole,
                let context = try await PrincipalLoader(store: store, collections: names).user(name)
            else { throw GatewayError.missing }
            return PrincipalAnswer(
                principal: principal, collections: collections,
                allChannels: { context.view(of: $0).channels.names }, allRoles: context.grants.roles.names
            ).json
        }
    }

    package func role(_ name: Name) async throws -> JSONObject {
        let (names, collections) = (setup.names, status.collections)
        return try await store.read { store in
            guard let principal = try await store.principals.find(StoredPrincipal.roleKey(name)), !principal.isDeleted,
                let role = try await PrincipalLoader(store: store, collections: names).role(name)
            else { throw GatewayError.missing }
            return PrincipalAnswer(
                principal: principal, collections: collections,
                allChannels: { (role.channels.held[$0]?.names ?? []).union([Channel.everybody]) }, allRoles: []
            ).json
        }
    }

    /// `name` is the name in the path, or `nil` for `POST`, which needs a name in the body and refuses one that exists.
    package func putUser(_ name: Name?, json: [UInt8], where precondition: PrincipalPrecondition? = nil) async throws
        -> UpsertOutcome
    {
        let request = try PrincipalRequest(json: json)
        let (name, isNew) = try Self.name(name, request: request)
        let outcome = try await put(name, request: request, mustBeNew: isNew, where: precondition)
        return name == PrincipalName.guest ? .updated : outcome
    }

    package func putRole(_ name: Name?, json: [UInt8], where precondition: PrincipalPrecondition? = nil) async throws
        -> UpsertOutcome
    {
        let request = try PrincipalRequest(json: json)
        let (name, isNew) = try Self.name(name, request: request)
        return try await put(StoredPrincipal.roleKey(name), request: request, mustBeNew: isNew, where: precondition)
    }

    private static func name(_ path: Name?, request: PrincipalRequest) throws -> (Name, isNew: Bool) {
        guard let path else {
            guard let name = request.name, !name.isEmpty else {
                throw GatewayError.missingName
            }
            try check(name)
            return (name, true)
        }
        if let name = request.name, name != path {
            throw GatewayError.otherName
        }
        try check(path)
        return (path, false)
    }

    private static func check(_ name: Name) throws {
        // The parser has put this character in place of half a surrogate pair in the JSON.
        if name.text.unicodeScalars.contains("\u{FFFD}") {
            throw GatewayError.invalidName("non UTF-8 encoding")
        }
        if let problem = PrincipalName.problem(with: name.text) {
            throw GatewayError.invalidName(problem)
        }
    }

    // MARK: - Storing

    /// - Parameter precondition: throws 412 if it is not met.
    func put(
        _ key: Name, request: PrincipalRequest, mustBeNew: Bool = false,
        where precondition: PrincipalPrecondition? = nil
    ) async throws -> UpsertOutcome {
        let setup = setup
        try request.checkCollections(among: Set(setup.collections.keys), of: name)
        let isKnown = try await store.read { try await $0.principals.find(key) }.map { !$0.isDeleted } ?? false
        if isKnown, mustBeNew { throw GatewayError.alreadyExists }
        let password = try await password(key, request: request, isKnown: isKnown)
        try request.checkNames()
        let presence: Presence? = mustBeNew ? .new : isKnown ? .known : nil
        return try await store.write(mayUseReserve: isKnown) { transaction in
            if let precondition {
                let present = try await transaction.reader.principals.find(key)
                guard precondition.holds(for: present) else { throw GatewayError.otherPrincipal }
            }
            return try await Self.store(
                key, request: request, password: password, mustBe: presence, setup: setup, transaction)
        }
    }

    /// The hash of a new password; `nil` to keep the present one.
    private func password(_ key: Name, request: PrincipalRequest, isKnown: Bool) async throws -> String? {
        guard PrincipalName.role(ofKey: key) == nil, key != PrincipalName.guest else { return nil }
        let prefix = isKnown ? "Error updating user/role" : "Error creating user"
        let allowsEmpty = setup.configuration.allowsEmptyPasswords
        guard let password = request.password else {
            guard isKnown || allowsEmpty else {
                throw GatewayError.emptyPassword(prefix)
            }
            return isKnown ? nil : try await credentials.hash("")
        }
        if password.isEmpty {
            guard allowsEmpty else { throw GatewayError.emptyPassword(prefix) }
        } else if password.count < GatewayLimits.passwordLength {
            throw GatewayError.shortPassword(prefix)
        }
        return try await credentials.hash(password)
    }

    /// Stores the settings of a configuration for the guest, whether or not the guest is stored already.
    static func store(
        guest request: PrincipalRequest?, setup: DatabaseSetup, _ transaction: any StoreTransaction
    ) async throws {
        guard let request else { return }
        let key = PrincipalName.guest
        if request.isDisabled != false, try await transaction.reader.principals.find(key) == nil { return }
        _ = try await store(key, request: request, password: nil, mustBe: nil, setup: setup, transaction)
    }

    /// Whether a request requires a new user or role, or an existing one.
    enum Presence: Sendable { case new, known }

    /// - Parameter presence: `nil` if both are allowed.
    static func store(
        _ key: Name, request: PrincipalRequest, password: String?, mustBe presence: Presence?, setup: DatabaseSetup,
        _ transaction: any StoreTransaction
    ) async throws -> UpsertOutcome {
        let existing = try await transaction.reader.principals.find(key)
        let isNew = existing.map(\.isDeleted) ?? true
        if !isNew, presence == .new { throw GatewayError.alreadyExists }
        // The user has been deleted since `put` looked for it. A new one might get no password, and could not sign in.
        if isNew, presence == .known { throw GatewayError.deletedByOther }
        let holdings = GrantTable(transaction, configured: setup.names)
        // A sequence would wake the feeds of the user, or of all users with the role, for nothing.
        if !isNew, password == nil, let existing, request.changesNothing(of: existing),
            try await holdings.isSettled(existing)
        {
            return .updated
        }
        let sequence = try await transaction.nextSequence()
        var principal = isNew ? StoredPrincipal(key: key, sequence: sequence) : existing!
        // Clients without credentials are admitted only on explicit request.
        if isNew, key == PrincipalName.guest { principal.isDisabled = true }
        var touched = isNew ? [] : try await holdings.everyItem(of: principal)
        principal.sequence = sequence
        request.apply(to: &principal)
        if let password {
            principal.password = password
            if !isNew { principal.sessionGeneration += 1 }
        }
        try await transaction.principals.put(principal)
        touched.formUnion(try await holdings.everyItem(of: principal))
        try await holdings.settle(principal, items: touched, at: sequence)
        return isNew ? .created : .updated
    }

    // MARK: - Deleting

    /// The user's refusals stay listed: when a person leaves and is deleted, it must still be visible which documents
    /// never arrived.
    package func deleteUser(_ name: Name) async throws {
        guard name != PrincipalName.guest else {
            throw GatewayError.guestStays
        }
        try await store.erase(mayUseReserve: true) { transaction in
            guard let principal = try await transaction.reader.principals.find(name), !principal.isRole else {
                throw GatewayError.missing
            }
            try await transaction.principals.erase(name)
            try await transaction.sessions.deleteAll(of: name)
            transaction.noteChange(ofPrincipal: name)
        }
        signIns.forget(name)
        keep(signIns.save)
    }

    /// Leaves a tombstone, so that the loss is reported to the role's members; `purging` erases the tombstone, too.
    package func deleteRole(_ name: Name, purging: Bool = false) async throws {
        let key = StoredPrincipal.roleKey(name)
        let names = setup.names
        try await store.erase(mayUseReserve: true) { transaction in
            guard var principal = try await transaction.reader.principals.find(key), !principal.isDeleted
            else { throw GatewayError.missing }
            let sequence = try await transaction.nextSequence()
            let holdings = GrantTable(transaction, configured: names)
            let held = try await holdings.everyItem(of: principal)
            principal = StoredPrincipal(key: key, sequence: sequence)
            principal.isDeleted = true
            try await transaction.principals.put(principal)
            try await holdings.settle(principal, items: held, at: sequence)
            if purging { try await transaction.principals.erase(key) }
        }
    }
}

/// The condition of a request about a user or role, so that two administrators do not overwrite each other's changes.
package enum PrincipalPrecondition: Sendable {
    /// The user or role still has this version.
    case version(String)
    /// The user or role does not exist.
    case absent

    func holds(for principal: StoredPrincipal?) -> Bool {
        switch self {
        case .version(let version): principal?.version.isExactly(version) == true
        case .absent: principal?.isDeleted ?? true
        }
    }
}
