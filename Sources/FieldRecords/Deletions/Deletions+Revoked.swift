import DocumentStore
import DocumentValues
import FieldModels

extension Deletions {
    /// Forgets the records that were deleted, here or by others, in districts that were taken away.
    ///
    /// A deletion is in no channel, so a gateway that takes a district away does not report it. A laptop only sees that
    /// it has no record of the channel any more. A district whose last record was deleted looks the same, so its
    /// deletions are forgotten, too.
    ///
    /// - Returns: the number of deletions by others that were forgotten.
    @discardableResult
    public func forgetRevoked() throws -> Int {
        let kept = try pages.kept().map { (key: $0.key, channels: Set($0.record.body.channels)) }
        let noted = try deletedInJournal()
        guard !kept.isEmpty || !noted.isEmpty else { return 0 }
        let present = try districts.presentChannels(among: Set(kept.flatMap(\.channels) + noted.flatMap(\.channels)))
        func isRevoked(_ channels: Set<Name>) -> Bool { !channels.isEmpty && present.isDisjoint(with: channels) }
        let revoked = kept.filter { isRevoked($0.channels) }
        for deletion in revoked { try pages.purge(deletion.key) }
        let gone = Set(noted.filter { isRevoked($0.channels) }.map(\.reference))
        if !gone.isEmpty { try journal.forgetRecords { gone.contains($0.reference) } }
        return revoked.count
    }

    /// The last known versions of records whose deletion the gateway has. Which districts they were in before, if only by a
    /// slip, does not matter.
    private func deletedInJournal() throws -> [(reference: RecordReference, channels: Set<Name>)] {
        var last: [RecordReference: Set<Name>] = [:]
        for record in try journal.entries().flatMap(\.records) {
            if let before = record.before { last[record.reference] = Set(before.body.channels) }
        }
        return try last.compactMap { record, channels in
            guard let present = try collection(of: record.kind).exchange(of: record.id), present.isDeleted,
                present.isSent
            else { return nil }
            return (record, channels)
        }
    }
}
