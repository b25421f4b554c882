import DocumentStore
import DocumentValues
import FieldModels

extension FieldDatabase {
    /// Forgets what was deleted, here or by others, in districts that were taken away.
    ///
    /// A deletion is in no channel, so a gateway that takes a district away does not report it. A laptop only sees that
    /// it has no record of the channel any more. A district whose last record was deleted looks the same: nothing is
    /// kept of it.
    ///
    /// - Returns: how many deletions by others are forgotten.
    @discardableResult
    public func forgetRevokedDeletions() throws -> Int {
        let kept = try keptDeletions().map { (key: $0.key, channels: Set($0.record.body.channels)) }
        let noted = try deletedInJournal()
        guard !kept.isEmpty || !noted.isEmpty else { return 0 }
        let present = try presentChannels(among: Set(kept.flatMap(\.channels) + noted.flatMap(\.channels)))
        func isRevoked(_ channels: Set<Name>) -> Bool { !channels.isEmpty && present.isDisjoint(with: channels) }
        let revoked = kept.filter { isRevoked($0.channels) }
        for deletion in revoked { try deletions.purge(id: deletion.key) }
        let gone = Set(noted.filter { isRevoked($0.channels) }.map(\.subject))
        if !gone.isEmpty { try journal.forgetRecords { gone.contains($0.subject) } }
        return revoked.count
    }

    /// The last known versions of records whose deletion the gateway has. Which districts they were in before, if only by a
    /// slip, does not matter.
    private func deletedInJournal() throws -> [(subject: JournalSubject, channels: Set<Name>)] {
        var last: [JournalSubject: Set<Name>] = [:]
        for record in try journal.entries().flatMap(\.records) {
            if let before = record.before { last[record.subject] = Set(before.body.channels) }
        }
        return try last.compactMap { subject, channels in
            guard let present = try collection(of: subject.kind).exchange(of: subject.id), present.isDeleted,
                present.isSent
            else { return nil }
            return (subject, channels)
        }
    }

    /// The channels that the user still has, as far as the records show it, as the gateway has them: an edit that was not
    /// sent, or is refused, can name any district.
    ///
    /// - Parameter channels: which are looked for; `nil` for all.
    func presentChannels(among channels: Set<Name>? = nil) throws -> Set<Name> {
        var evidence = ChannelEvidence(of: channels)
        for kind in RecordKind.allCases where !evidence.isComplete {
            do {
                try collection(of: kind).forEachSentBody { json in
                    evidence.add(Self.channels(of: json))
                    if evidence.isComplete { throw AllFound() }
                }
            } catch is AllFound {}
        }
        return evidence.channels
    }

    private static func channels(of json: [UInt8]) -> Set<Name> { Set(JSONObject.readable(json)?.channels ?? []) }
}

/// There is nothing more to look for.
private struct AllFound: Error {}

/// Which channels a user has, by the records that came. A record of one channel shows that one; one of several shows at least
/// one of them, which may be another than the one that was taken away.
private struct ChannelEvidence {
    /// `nil` for all.
    private let wanted: Set<Name>?
    private var shown: Set<Name> = [Name("!")]
    private var several: Set<Set<Name>> = []

    init(of wanted: Set<Name>?) { self.wanted = wanted }

    /// No further record can show more.
    var isComplete: Bool { wanted?.isSubset(of: shown) ?? false }

    /// Where no record of one channel says which of several it is, it may be each of them.
    var channels: Set<Name> {
        several.reduce(into: shown) { channels, group in
            if shown.isDisjoint(with: group) { channels.formUnion(group) }
        }
    }

    mutating func add(_ channels: Set<Name>) {
        switch channels.count {
        case 0: break
        case 1: shown.formUnion(channels)
        default: several.insert(channels)
        }
    }
}
