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
    }

    private(set) var facts = AccessFacts()
    private var documents: [String: DocumentChannels] = [:]
    /// By their sequences.
    private var lists: [String: [(sequence: UInt64, entry: Entry)]] = [:]
    private var user = UserGrants(name: AccessHistory.user)
    private var roles: [String: RoleGrants] = Dictionary(
        uniqueKeysWithValues: AccessHistory.roles.map { ($0, RoleGrants(name: $0)) })

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
        let changes = channels.update(to: document.channels, at: facts.sequence)
        documents[document.id] = channels
        for removal in changes.replacedRemovals { remove(removal.span.end, from: removal.channel) }
        for channel in changes.entered { replace(old, in: channel, document, isRemoval: false) }
        for channel in changes.left { replace(old, in: channel, document, isRemoval: true) }
    }

    private mutating func replace(_ old: UInt64, in channel: String, _ document: WrittenDocument, isRemoval: Bool) {
        remove(old, from: channel)
        let entry = Entry(id: document.id, isRemoval: isRemoval, isDeleted: document.isDeleted)
        lists[channel, default: []].append((facts.sequence, entry))
    }

    private mutating func remove(_ sequence: UInt64, from channel: String) {
        lists[channel]?.removeAll { $0.sequence == sequence }
    }

    /// Brings what everybody holds in line with the facts.
    private mutating func settle() {
        Self.settle(&user.channels, facts.channels(of: AccessHistory.user), at: facts.sequence)
        for role in AccessHistory.roles {
            Self.settle(&roles[role]!.channels, facts.channels(of: "role:" + role), at: facts.sequence)
        }
        Self.settle(&user.roles, &user.roleHistory, facts.rolesOfUser, at: facts.sequence)
    }

    private static func settle(_ holdings: inout ChannelHoldings, _ channels: Set<String>, at sequence: UInt64) {
        settle(
            &holdings.held[collection, default: TimedSet()], &holdings.history[collection, default: GrantHistory()],
            channels, at: sequence)
    }

    private static func settle(
        _ held: inout TimedSet, _ history: inout GrantHistory, _ granted: Set<String>, at sequence: UInt64
    ) {
        for name in granted.union(held.names) {
            switch HoldingChange(since: held[name], isGranted: granted.contains(name), at: sequence) {
            case .none: break
            case .begins(let start): held.grant(name, at: start)
            case .ends(let span):
                held.remove(name)
                history.append(span, of: name)
            }
        }
    }

    // MARK: Feeds

    struct Row {
        let sequence: SequenceID
        let id: String
        let isLost: Bool
    }

    var view: AccessView { AccessView(user: user, collection: Self.collection, role: { roles[$0] }) }

    func isVisible(_ id: String, _ view: AccessView) -> Bool {
        guard let document = facts.documents[id], !document.written.isDeleted else { return false }
        return view.sees(document.written.channels)
    }

    private struct PlacedEntry {
        let place: SequenceID
        let entry: Entry
        let isRevoked: Bool
    }

    /// One whole pass for a client at `since`.
    func feed(since: SequenceID, _ view: AccessView) -> [Row] {
        let plan = FeedPlan(view: view, since: since, through: facts.sequence, wantsRevocations: true)
        var entries: [PlacedEntry] = []
        for scan in plan.scans {
            for (place, entry) in list(scan.channel, after: scan.after, through: scan.through)
            where scan.includes(place, isGone: entry.isRemoval || entry.isDeleted) {
                entries.append(
                    PlacedEntry(
                        place: SequenceID(place, triggeredBy: scan.triggeredBy), entry: entry, isRevoked: false))
            }
        }
        for scan in plan.revocations {
            for (place, entry) in list(scan.channel, after: scan.after, through: facts.sequence)
            where isLost(entry, place, scan, view) {
                entries.append(
                    PlacedEntry(place: SequenceID(place, triggeredBy: scan.revokedAt), entry: entry, isRevoked: true))
            }
        }
        entries.sort { $0.place < $1.place }
        return rows(entries, view)
    }

    private func isLost(_ entry: Entry, _ place: UInt64, _ scan: RevocationScan, _ view: AccessView) -> Bool {
        !isVisible(entry.id, view)
            && scan.mayHave(sequence: place, membership: documents[entry.id]!.stays(in: scan.channel))
    }

    private func list(_ channel: String, after: UInt64, through: UInt64) -> [(sequence: UInt64, entry: Entry)] {
        guard channel == "*" else {
            return lists[channel]?.filter { $0.sequence > after && $0.sequence <= through } ?? []
        }
        return facts.documents.values.filter { $0.sequence > after && $0.sequence <= through }.map {
            ($0.sequence, Entry(id: $0.written.id, isRemoval: false, isDeleted: $0.written.isDeleted))
        }
    }

    /// The entries of one place make one row.
    private func rows(_ entries: [PlacedEntry], _ view: AccessView) -> [Row] {
        var rows: [Row] = []
        var rest = entries[...]
        while let first = rest.first {
            let same = rest.prefix { $0.place == first.place }
            rest = rest.dropFirst(same.count)
            let isRemoved = same.allSatisfy(\.entry.isRemoval)
            let isRevoked = same.contains(where: \.isRevoked)
            // What left one channel and is seen through another needs no row: it has one there.
            if isRemoved, !first.entry.isDeleted, !isRevoked, isVisible(first.entry.id, view) { continue }
            rows.append(
                Row(
                    sequence: first.place, id: first.entry.id,
                    isLost: isRevoked || (isRemoved && !first.entry.isDeleted)))
        }
        return rows
    }
}

extension WrittenDocument {
    fileprivate var grants: Bool { !access.isEmpty || !roles.isEmpty }
}
