import DocumentStore
import DocumentValues
import FieldModels
import Replication

/// Records that were made here and never sent, while other users have made others under their ids.
extension NewIDs {
    /// Gives such records of the author's a new id, before the gateway's records replace them. A merge would make one record
    /// of the other person's from the two. The author is notified of it as of a change by that person.
    ///
    /// If the gateway's record was made in the same moment, another user has only brought it back under their name, and it is
    /// the same record. So is a row of a register, whose id is the same in every import.
    ///
    /// - Parameter incoming: the gateway's versions, which are not stored yet.
    package func renameOthers(of kind: RecordKind, than incoming: [RemoteChange], by author: Author) throws {
        let made = incoming.filter { RecordIDs.isMade($0.documentID) }
        let stored = try collection(of: kind).bodies(of: made.map(\.documentID))
        for (change, old) in zip(made, stored) {
            guard let old, !old.isDeleted, let present = JSONObject.readable(old.body),
                let other = JSONObject.readable(change.body), present.isOther(than: other, of: author.name),
                let exchange = try collection(of: kind).exchange(of: change.documentID),
                !exchange.isKnownToRemotes, !exchange.isRestored
            else { continue }
            do {
                try database.inBatch {
                    try rename(RecordReference(kind, id: change.documentID), besides: other, by: author)
                }
            } catch let error as StoreError {
                throw error
            } catch {
                // Something that refers to it cannot be changed now, such as a hidden finding. That is no reason to receive
                // nothing any more: the two are put together as any others.
                continue
            }
        }
    }

    /// - Parameter other: the gateway's record with this id.
    private func rename(_ record: RecordReference, besides other: JSONObject, by author: Author) throws {
        var generator = SystemRandomNumberGenerator()
        let collection = collection(of: record.kind)
        guard let owner = author.name, let document = try collection.document(id: record.id) else { return }
        let renamed = RecordReference(record.kind, id: RecordIDs.make(record.kind, using: &generator))
        try collection.save(bodies: [(renamed.id, document.body.bytes)])
        try repoint(references: record.id, to: renamed, by: author, isCommand: false)
        try collection.purge(id: record.id)
        var changes = ChangesByOthers(
            renamed, owner: owner,
            fields: [
                ChangesByOthers.Field(
                    path: FieldPath("id"), before: .string(record.id), after: .string(renamed.id),
                    stamp: VersionStamp(of: other))
            ])
        changes.isOwners = true
        try changePages.write(changes)
    }
}

extension JSONObject {
    /// Whether this record of the user's is another one than that of another user under the same id.
    fileprivate func isOther(than other: JSONObject, of user: String?) -> Bool {
        guard let user, let creator = other["createdBy"]?.stringValue, !creator.isExactly(user) else { return false }
        return self["createdBy"]?.stringValue.isExactly(user) == true
            && !ValueOrder.isSame(self["createdAt"], and: other["createdAt"])
    }
}
