import AccessControl
import AccessModels
import DocumentValues

/// A gateway in memory that keeps everything a feed is computed from, and beside it the plain facts by which the feeds
/// are judged.
struct ModelGateway {
    static let collection = CollectionName.default

    struct Entry {
        let id: String
        let isRemoval: Bool
        let isDeleted: Bool
        var isGone: Bool { isRemoval || isDeleted }
    }

    private(set) var facts = AccessFacts()
    private var documents: [String: DocumentChannels] = [:]
    /// By their sequences.
    private var lists: [Name: [(sequence: UInt64, entry: Entry)]] = [:]
    private var user = UserGrants(name: Name(AccessHistory.user))
    private var roles: [Name: RoleGrants] = Dictionary(
        uniqueKeysWithValues: AccessHistory.roles.map { (Name($0), RoleGrants(name: Name($0))) })

    // MARK: Changes

    mutating func apply(_ change: AccessChange) {
        switch change {
        case .write(let document):
            let old = facts.documents[document.id]
            facts.apply(change)
            enter(document, replacing: old?.sequence ?? 0)
            if old.map({ $0.written.grants }) ?? false || document.grants { settle() }
        case .channels, .roles:
            facts.apply(change)
            settle()
        }
    }

    private mutating func enter(_ document: WrittenDocument, replacing old: UInt64) {
        var channels = documents[document.id] ?? DocumentChannels()
        let changes = channels.update(to: document.channels.names, at: facts.sequence)
        documents[document.id] = channels
        for removal in changes.replacedRemovals { remove(removal.span.end, from: removal.channel) }
        for channel in changes.entered { replace(old, in: channel, document, isRemoval: false) }
        for channel in changes.left { replace(old, in: channel, document, isRemoval: true) }
    }

    private mutating func replace(_ old: UInt64, in channel: Name, _ document: WrittenDocument, isRemoval: Bool) {
        remove(old, from: channel)
        let entry = Entry(id: document.id, isRemoval: isRemoval, isDeleted: document.isDeleted)
        lists[channel, default: []].append((facts.sequence, entry))
    }

    private mutating func remove(_ sequence: UInt64, from channel: Name) {
        lists[channel]?.removeAll { $0.sequence == sequence }
    }

    /// Brings what everybody holds in line with the facts.
    private mutating func settle() {
        Self.settle(&user.channels, facts.channels(of: AccessHistory.user).names, at: facts.sequence)
        for role in AccessHistory.roles {
            Self.settle(&roles[Name(role)]!.channels, facts.channels(of: "role:" + role).names, at: facts.sequence)
        }
        Self.settle(&user.roles, &user.roleHistory, facts.rolesOfUser.names, at: facts.sequence)
    }

    private static func settle(_ holdings: inout ChannelGrants, _ channels: Set<Name>, at sequence: UInt64) {
        settle(
            &holdings.held[collection, default: TimedSet()], &holdings.history[collection, default: GrantHistory()],
            channels, at: sequence)
    }

    private static func settle(
        _ held: inout TimedSet, _ history: inout GrantHistory, _ granted: Set<Name>, at sequence: UInt64
    ) {
        for name in granted.union(held.names) {
            switch GrantChange(since: held[name], isGranted: granted.contains(name), at: sequence) {
            case .none: break
            case .begins(let start): held.grant(name, at: start)
            case .ends(let span):
                held.remove(name)
                history.append(span, of: name)
            }
        }
    }

    // MARK: Feeds

    struct Row: Hashable {
        let sequence: SequenceID
        let id: String
        let isDeleted: Bool
        let removed: Set<Name>
        let isRevoked: Bool
        /// The client has to give it up, even if it is not deleted.
        let isLost: Bool
    }

    /// What a client asks for.
    struct Request: Hashable {
        var wantsRevocations = true
        var reportsLossesInPlace = true
        var channels: Set<Name>?
    }

    var view: AccessView { AccessView(user: user, collection: Self.collection, role: { roles[$0] }) }

    func isVisible(_ id: String, _ view: AccessView) -> Bool {
        guard let document = facts.documents[id], !document.written.isDeleted else { return false }
        return view.sees(document.written.channels.names)
    }

    private struct PositionedEntry {
        let position: SequenceID
        let entry: Entry
        let channel: Name
        var isRevoked = false
        /// It comes from a list that is read for what went only.
        var isLoss = false
    }

    /// One whole pass for a client at `since`.
    func feed(since: SequenceID, _ view: AccessView, _ request: Request = Request()) -> [Row] {
        let plan = FeedPlan(
            view: view, since: since, through: facts.sequence, channels: request.channels,
            wantsRevocations: request.wantsRevocations, reportsLossesInPlace: request.reportsLossesInPlace)
        var entries: [PositionedEntry] = []
        for scan in plan.scans {
            for (position, entry) in list(scan.channel, after: scan.after, through: scan.through)
            where scan.includes(isGone: entry.isGone) {
                let sequence = SequenceID(position, triggeredBy: scan.triggeredBy)
                entries.append(PositionedEntry(position: sequence, entry: entry, channel: scan.channel))
            }
        }
        for scan in plan.gone {
            for (position, entry) in list(scan.channel, after: scan.after, through: scan.through)
            where entry.isGone && scan.mayHave(membership: documents[entry.id]!.stays(in: scan.channel)) {
                entries.append(
                    PositionedEntry(position: SequenceID(position), entry: entry, channel: scan.channel, isLoss: true))
            }
        }
        for scan in plan.revocations {
            for (position, entry) in list(scan.channel, after: scan.after, through: facts.sequence)
            where isLost(entry, position, scan, view) {
                let sequence = SequenceID(position, triggeredBy: scan.revokedAt)
                entries.append(
                    PositionedEntry(position: sequence, entry: entry, channel: scan.channel, isRevoked: true))
            }
        }
        entries.sort { $0.position < $1.position }
        return rows(entries, view)
    }

    private func isLost(_ entry: Entry, _ position: UInt64, _ scan: RevocationScan, _ view: AccessView) -> Bool {
        guard let document = facts.documents[entry.id], let channels = documents[entry.id] else { return false }
        let isKnown =
            document.written.isDeleted
            ? view.reportsTombstone(in: channels, at: document.sequence) : isVisible(entry.id, view)
        return !isKnown
            && scan.includes(position, isGone: entry.isGone, membership: channels.stays(in: scan.channel))
    }

    private func list(_ channel: Name, after: UInt64, through: UInt64) -> [(sequence: UInt64, entry: Entry)] {
        guard channel == "*" else {
            return lists[channel]?.filter { $0.sequence > after && $0.sequence <= through } ?? []
        }
        return facts.documents.values.filter { $0.sequence > after && $0.sequence <= through }.map {
            ($0.sequence, Entry(id: $0.written.id, isRemoval: false, isDeleted: $0.written.isDeleted))
        }
    }

    /// The entries of one position make one row.
    private func rows(_ entries: [PositionedEntry], _ view: AccessView) -> [Row] {
        var rows: [Row] = []
        var rest = entries[...]
        while let first = rest.first {
            let same = rest.prefix { $0.position == first.position }
            rest = rest.dropFirst(same.count)
            let isRemoved = same.allSatisfy(\.entry.isRemoval)
            let isRevoked = same.contains(where: \.isRevoked)
            let isVisible = isVisible(first.entry.id, view)
            // What went from a list that is only read for that, and is seen through another, is reported there.
            if isVisible, same.allSatisfy(\.isLoss) { continue }
            rows.append(
                Row(
                    sequence: first.position, id: first.entry.id, isDeleted: first.entry.isDeleted,
                    removed: Set(same.filter(\.entry.isRemoval).map(\.channel)), isRevoked: isRevoked,
                    isLost: isRevoked || (isRemoved && !first.entry.isDeleted && !isVisible)))
        }
        return rows
    }
}

extension WrittenDocument {
    fileprivate var grants: Bool { !access.isEmpty || !roles.isEmpty }
}

extension Set<String> {
    /// The models of the histories know only names in ASCII.
    fileprivate var names: Set<Name> { Set<Name>(map { Name($0) }) }
}
