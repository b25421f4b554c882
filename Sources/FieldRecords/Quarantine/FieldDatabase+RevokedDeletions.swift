import DocumentStore
import DocumentValues
import FieldModels

extension FieldDatabase {
    /// Forgets what was deleted, here or by others, in districts that were taken away.
    ///
    /// A deletion is in no channel, so a gateway that takes a district away says nothing of it. A laptop sees only that all
    /// records of a channel are gone: so this is for after a sync in which records were taken away.
    ///
    /// - Returns: how many deletions by others are forgotten.
    @discardableResult
    public func forgetRevokedDeletions() throws -> Int {
        let kept = try keptDeletions().map { (key: $0.key, channels: Self.channels(of: $0.record.body)) }
        let noted = try deletedInJournal()
        let present = try presentChannels(among: Set(kept.flatMap(\.channels) + noted.flatMap(\.channels)))
        func isRevoked(_ channels: Set<Name>) -> Bool { !channels.isEmpty && present.isDisjoint(with: channels) }
        let revoked = kept.filter { isRevoked($0.channels) }
        for deletion in revoked { try deletions.purge(id: deletion.key) }
        let gone = Set(noted.filter { isRevoked($0.channels) }.map(\.subject))
        if !gone.isEmpty { try journal.forgetRecords { gone.contains($0.subject) } }
        return revoked.count
    }

    /// Earlier versions of records that are deleted now.
    private func deletedInJournal() throws -> [(subject: JournalSubject, channels: Set<Name>)] {
        try journal.entries().flatMap(\.records).compactMap { record in
            guard let before = record.before,
                try collection(of: record.kind).exchange(of: record.id)?.isDeleted == true
            else { return nil }
            return (record.subject, Self.channels(of: before.body))
        }
    }

    /// Those of the channels that a record is in which the gateway has, too; everybody's is always there.
    private func presentChannels(among channels: Set<Name>) throws -> Set<Name> {
        var present = channels.intersection([Self.everybodys])
        for kind in RecordKind.allCases where present.count < channels.count {
            let records = collection(of: kind)
            do {
                try records.forEachBody { id, json in
                    let found = channels.subtracting(present).intersection(Self.channels(of: json))
                    guard !found.isEmpty, try records.exchange(of: id)?.isKnownToRemotes == true else { return }
                    present.formUnion(found)
                    if present.count == channels.count { throw AllFound() }
                }
            } catch is AllFound {}
        }
        return present
    }

    private static let everybodys = Name("!")

    private static func channels(of json: [UInt8]) -> Set<Name> {
        JSONObject.readable(json).map { channels(of: $0) } ?? []
    }

    private static func channels(of body: JSONObject) -> Set<Name> {
        Set((body["channels"]?.arrayValue ?? []).compactMap { $0.stringValue.map { Name($0) } })
    }
}

/// There is nothing more to look for.
private struct AllFound: Error {}
