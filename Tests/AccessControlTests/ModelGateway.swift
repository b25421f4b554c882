import AccessControl
import DocumentValues

/// A gateway in memory that keeps everything a feed is computed from, and beside it the plain facts: what every document
/// is in and what everybody holds. Feeds are computed from the one and judged by the other.
struct ModelGateway {
    static let collection = CollectionName.default

    struct Document {
        var channels = DocumentChannels()
        var sequence: UInt64 = 0
        var isDeleted = false
    }

    struct Entry {
        let id: String
        let isRemoval: Bool
        let isDeleted: Bool
    }

    var sequence: UInt64 = 0
    var documents: [String: Document] = [:]
    var lists: [String: [UInt64: Entry]] = [:]
    var users: [String: UserGrants] = [:]
    var roles: [String: RoleGrants] = [:]

    // The plain facts.
    var grantedChannels: [String: Set<String>] = [:]
    var grantedRoles: [String: Set<String>] = [:]

    // MARK: Changes

    mutating func write(_ id: String, channels: Set<String>, isDeleted: Bool = false) {
        sequence += 1
        var document = documents[id] ?? Document()
        let old = document.sequence
        let changes = document.channels.update(to: channels, at: sequence)
        for removal in changes.replacedRemovals { lists[removal.channel]?[removal.span.end] = nil }
        for (channel, isRemoval) in changes.entered.map({ ($0, false) }) + changes.left.map({ ($0, true) }) {
            lists[channel]?[old] = nil
            lists[channel, default: [:]][sequence] = Entry(id: id, isRemoval: isRemoval, isDeleted: isDeleted)
        }
        document.sequence = sequence
        document.isDeleted = isDeleted
        documents[id] = document
    }

    mutating func grant(_ principal: String, channels: Set<String>) {
        sequence += 1
        grantedChannels[principal] = channels
        if users[principal] != nil {
            Self.settle(&users[principal]!.channels, channels, at: sequence)
        } else {
            Self.settle(&roles[principal]!.channels, channels, at: sequence)
        }
    }

    mutating func grant(_ user: String, roles names: Set<String>) {
        sequence += 1
        grantedRoles[user] = names
        var grants = users[user]!
        for name in names.union(grants.roles.names) {
            switch HoldingChange(since: grants.roles[name], isGranted: names.contains(name), at: sequence) {
            case .none: break
            case .begins(let start): grants.roles.grant(name, at: start)
            case .ends(let span):
                grants.roles.remove(name)
                grants.roleHistory.append(span, of: name)
            }
        }
        users[user] = grants
    }

    private static func settle(_ holdings: inout ChannelHoldings, _ channels: Set<String>, at sequence: UInt64) {
        var held = holdings.held[collection] ?? TimedSet()
        var history = holdings.history[collection] ?? GrantHistory()
        for name in channels.union(held.names) {
            switch HoldingChange(since: held[name], isGranted: channels.contains(name), at: sequence) {
            case .none: break
            case .begins(let start): held.grant(name, at: start)
            case .ends(let span):
                held.remove(name)
                history.append(span, of: name)
            }
        }
        holdings.held[collection] = held
        holdings.history[collection] = history
    }

    // MARK: The plain facts

    /// Live documents that a user sees now, with their revisions.
    func visible(to user: String) -> [String: UInt64] {
        var channels = grantedChannels[user, default: []].union(["!"])
        for role in grantedRoles[user] ?? [] { channels.formUnion(grantedChannels[role] ?? []) }
        return documents.filter { _, document in
            guard !document.isDeleted else { return false }
            return channels.contains("*") || !channels.isDisjoint(with: document.channels.current.keys)
        }.mapValues(\.sequence)
    }

    // MARK: Feeds

    struct Row {
        let sequence: SequenceID
        let id: String
        let isDeleted: Bool
        let isLost: Bool
    }

    func view(of user: String) -> AccessView {
        AccessView(user: users[user]!, collection: Self.collection, role: { roles[$0] })
    }

    /// One whole pass for a client at `since`.
    func feed(_ user: String, since: SequenceID) -> [Row] {
        let view = view(of: user)
        let plan = FeedPlan(view: view, since: since, through: sequence, wantsRevocations: true)
        var entries: [(SequenceID, Entry, isRevoked: Bool)] = []
        for scan in plan.scans {
            for (place, entry) in list(scan.channel, after: scan.after, through: scan.through) {
                guard scan.includes(place, isGone: entry.isRemoval || entry.isDeleted) else { continue }
                entries.append((SequenceID(place, triggeredBy: scan.triggeredBy), entry, false))
            }
        }
        for scan in plan.revocations {
            for (place, entry) in list(scan.channel, after: scan.after, through: sequence) {
                let channels = documents[entry.id]!.channels
                guard documents[entry.id]!.isDeleted || !view.sees(channels.current.keys) else { continue }
                guard scan.mayHave(sequence: place, membership: channels.stays(in: scan.channel)) else { continue }
                entries.append((SequenceID(place, triggeredBy: scan.revokedAt), entry, true))
            }
        }
        return rows(entries, view)
    }

    private func list(_ channel: String, after: UInt64, through: UInt64) -> [(UInt64, Entry)] {
        var list = lists[channel] ?? [:]
        if channel == "*" {
            list = [:]
            for (id, document) in documents {
                list[document.sequence] = Entry(id: id, isRemoval: false, isDeleted: document.isDeleted)
            }
        }
        return list.filter { $0.key > after && $0.key <= through }.map { ($0.key, $0.value) }
    }

    private func rows(_ entries: [(SequenceID, Entry, isRevoked: Bool)], _ view: AccessView) -> [Row] {
        Dictionary(grouping: entries, by: \.0).sorted { $0.key < $1.key }.compactMap { sequence, same in
            let entry = same[0].1
            let isRemoved = same.allSatisfy(\.1.isRemoval)
            let isRevoked = same.contains { $0.isRevoked }
            let document = documents[entry.id]!
            let isVisible = !document.isDeleted && view.sees(document.channels.current.keys)
            // What left one channel and is seen through another needs no row: it has one there.
            if isRemoved, !entry.isDeleted, !isRevoked, isVisible { return nil }
            return Row(
                sequence: sequence, id: entry.id, isDeleted: entry.isDeleted,
                isLost: isRevoked || (isRemoved && !entry.isDeleted))
        }
    }
}
