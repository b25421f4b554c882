import AccessControl
import DocumentValues

/// The channels and roles of users and roles, updated grant by grant, so that the cost of a change does not depend on
/// the number of users.
struct GrantTable {
    let transaction: any StoreTransaction
    /// The configured collections by their numbers. Holdings in other collections are kept, too: these collections may
    /// come back.
    private let configured: [Int64: CollectionName]
    /// The user whose write makes the grants; empty for an administrator.
    private let giver: Name
    private var rows: any GrantRows { transaction.reader.grants }

    init(_ transaction: any StoreTransaction, configured: [Int64: CollectionName], giver: Name = "") {
        self.transaction = transaction
        self.configured = configured
        self.giver = giver
    }

    /// Replaces the grants of a document.
    func replaceGrants(
        ofDocument number: Int64, in collection: Int64, from old: DocumentGrants, to new: DocumentGrants,
        at sequence: UInt64
    ) async throws {
        guard old != new else { return }
        let (before, after) = (old.all, new.all)
        let changed = Dictionary(grouping: before.symmetricDifference(after), by: \.principal)
        // In the order of the table's rows, since many neighbours are on one page.
        for (key, grants) in changed.sorted(by: { $0.key < $1.key }) {
            try await store(
                grants.sorted { $0.name < $1.name }, ofDocument: number, in: collection, to: key, kept: after)
            // Grants to users and roles that do not exist take effect when these are created.
            guard let principal = try await transaction.reader.principals.find(key), !principal.isDeleted else {
                continue
            }
            let items = Set(grants.map { Self.item($0, collection: collection) })
            let begun = try await settle(principal, items: items, at: sequence)
            if begun > 0, !giver.isEmpty {
                try await transaction.grants.count(0, begun: begun, by: giver, to: key)
            }
        }
    }

    /// - Parameter kept: the new grants of the document; the other changed ones are deleted.
    private func store(
        _ grants: [DocumentGrants.Grant], ofDocument number: Int64, in collection: Int64, to principal: Name,
        kept: Set<DocumentGrants.Grant>
    ) async throws {
        var changes: [Name: Int] = [:]
        for grant in grants {
            let item = Self.item(grant, collection: collection)
            if kept.contains(grant) {
                try await transaction.grants.insert(item, to: principal, by: number, giver: giver)
                changes[giver, default: 0] += 1
            } else {
                let giver = try await rows.giver(of: item, to: principal, by: number) ?? giver
                try await transaction.grants.delete(item, to: principal, by: number)
                changes[giver, default: 0] -= 1
            }
        }
        for (giver, change) in changes { try await transaction.grants.count(change, by: giver, to: principal) }
    }

    /// Why a document may not have these new grants: a user or role would have too many, from all documents together or
    /// from the writes of one user. Revoking grants is always allowed.
    ///
    /// So that one user cannot use up the grants of all others, a user's share must not exceed the number that is left for
    /// them. Only administrators may use all of it.
    func excess(of new: DocumentGrants, over old: DocumentGrants) async throws -> GatewayError? {
        let (before, after) = (old.all, new.all)
        var changes: [Name: Int] = [:]
        for grant in after.subtracting(before) { changes[grant.principal, default: 0] += 1 }
        for grant in before.subtracting(after) { changes[grant.principal, default: 0] -= 1 }
        for (principal, change) in changes.sorted(by: { $0.key < $1.key }) where change > 0 {
            if let error = try await excess(of: change, to: principal) { return error }
        }
        return nil
    }

    private func excess(of change: Int, to principal: Name) async throws -> GatewayError? {
        let count = try await rows.count(to: principal) + change
        guard count <= AccessLimits.grantsPerPrincipal else { return .tooManyGrants(count, to: principal) }
        let limit = AccessLimits.staysPerPrincipal
        let stays = try await rows.stays(of: principal, upTo: limit)
        guard stays < limit else { return .tooManyStays(of: principal) }
        guard !giver.isEmpty else { return nil }
        let share = try await rows.share(of: giver, to: principal)
        guard share.count + change <= AccessLimits.grantsPerPrincipal - count else {
            return .tooManyGrants(share.count + change, by: giver, to: principal)
        }
        return share.begun + change <= limit - stays - change ? nil : .tooManyStays(of: principal, by: giver)
    }

    /// Brings the principal's holdings of these channels and roles in line with its grants.
    ///
    /// - Returns: the number of holdings that began.
    @discardableResult
    func settle(_ principal: StoredPrincipal, items: Set<GrantItem>, at sequence: UInt64) async throws -> Int {
        var begun = 0
        for item in items {
            let isGranted = try await isGranted(item, to: principal)
            let since = try await rows.since(item, of: principal.key)
            switch GrantChange(since: since, isGranted: isGranted, at: sequence) {
            case .none: break
            case .begins(let start):
                try await transaction.grants.begin(item, of: principal.key, at: start)
                begun += 1
            case .ends(let span): try await end(item, principal: principal.key, span: span)
            }
        }
        transaction.noteChange(ofPrincipal: principal.key)
        return begun
    }

    private func isGranted(_ item: GrantItem, to principal: StoredPrincipal) async throws -> Bool {
        guard !principal.isDeleted else { return false }
        if try await isExplicit(item, of: principal) { return true }
        return try await rows.isGrantedByDocument(item, to: principal.key)
    }

    /// All channels and roles that the principal holds or is granted.
    func everyItem(of principal: StoredPrincipal) async throws -> Set<GrantItem> {
        try await given(to: principal).union(rows.items(of: principal.key))
    }

    /// Whether the principal holds exactly its grants.
    func isSettled(_ principal: StoredPrincipal) async throws -> Bool {
        let held = try await rows.held(by: principal.key)
        return try await held == given(to: principal).union(rows.granted(to: principal.key))
    }

    /// For new collections: channels that a principal is given in every collection are given in these, too.
    func begin(collections new: [Int64: CollectionName]) async throws {
        guard !new.isEmpty else { return }
        var sequence: UInt64?
        let principals = transaction.reader.principals
        let users = try await principals.names(roles: false, includingDeleted: false)
        let roles = try await principals.names(roles: true, includingDeleted: false)
        for key in users + roles.map({ StoredPrincipal.roleKey($0) }) {
            guard let principal = try await principals.find(key) else { continue }
            let items = Self.channels(givenTo: principal, in: new)
            guard !items.isEmpty else { continue }
            let start: UInt64
            if let sequence { start = sequence } else { start = try await transaction.nextSequence() }
            sequence = start
            try await settle(principal, items: items, at: start)
        }
    }

    // MARK: -

    /// The channels and roles that need no grant of a document, also in collections that are out of service.
    private func given(to principal: StoredPrincipal) async throws -> Set<GrantItem> {
        let channels = Self.channels(givenTo: principal, in: try await transaction.reader.collections())
        return channels.union(principal.givenRoles.map { GrantItem.role($0) })
    }

    private static func channels(
        givenTo principal: StoredPrincipal, in collections: [Int64: CollectionName]
    ) -> Set<GrantItem> {
        var items: Set<GrantItem> = []
        for (number, collection) in collections {
            for name in principal.givenChannels(in: collection) { items.insert(.channel(name, in: number)) }
        }
        return items
    }

    private func isExplicit(_ item: GrantItem, of principal: StoredPrincipal) async throws -> Bool {
        switch item.kind {
        case .role: return principal.givenRoles.contains(item.name)
        case .channel:
            var collection = configured[item.collection]
            if collection == nil { collection = try await transaction.reader.collection(item.collection) }
            return collection.map { principal.givenChannels(in: $0).contains(item.name) } ?? false
        }
    }

    private func end(_ item: GrantItem, principal: Name, span: SequenceSpan) async throws {
        var history = GrantHistory([item.name: try await rows.ended(item, of: principal)])
        history.append(span, of: item.name)
        try await transaction.grants.end(item, of: principal, history: history[item.name])
    }

    private static func item(_ grant: DocumentGrants.Grant, collection: Int64) -> GrantItem {
        switch grant.kind {
        case .channel: .channel(grant.name, in: collection)
        case .role: .role(grant.name)
        }
    }
}
