import DocumentStore
import DocumentValues
import FieldModels

extension Deletions {
    /// Keeps the content of records before a sync deletes them. Beyond the limit the oldest are dropped (except findings that
    /// are to come back with their inspection). Records that the person has made or worked on have a much larger limit of
    /// their own, so that another user cannot push them out by deleting hundreds of others. A record that is as large as a
    /// document can be is not kept: otherwise it would block the sync. Members that are nested too deep for a page are left
    /// out; no form asks for such.
    ///
    /// - Parameters:
    ///   - ids: those that are not here, or deleted already, are left out.
    ///   - user: the user of the laptop.
    public func keep(_ kind: RecordKind, ids: [String], for user: String? = nil) throws {
        try keep(kind, ids: ids, isTied: false, for: user)
    }

    /// - Parameter isTied: findings that go weeks after their inspection, and come back with it.
    func keep(_ kind: RecordKind, ids: [String], isTied: Bool, for user: String? = nil) throws {
        let records = zip(ids, try collection(of: kind).bodies(of: ids)).compactMap { id, stored in
            stored.flatMap { $0.isDeleted ? nil : JSONObject.readable($0.body) }.map { (id: id, body: $0) }
        }
        guard !records.isEmpty else { return }
        try database.inBatch {
            let kept = try pages.kept()
            let titles = RecordTitles(store, besides: kept.map(\.record))
            let worked = try journal.recordsWorkedOn(by: user)
            func isOwn(_ body: JSONObject, kind: RecordKind, id: String) -> Bool {
                Self.isMade(body, by: user) || worked.contains(RecordReference(kind, id: id))
            }
            let new = try records.map { record in
                let title = try titles.title(of: kind, record.body) ?? record.id
                let page = DeletionPage(kind: kind, id: record.id, title: title, before: record.body, isTied: isTied)
                return RankedPage(body: page.body, isOwn: isOwn(record.body, kind: kind, id: record.id))
            }.filter { $0.size <= StoreLimits.documentBody }
            let alike = kept.filter { $0.record.isTied == isTied }.map {
                RankedPage(
                    key: $0.key, size: $0.size, isOwn: isOwn($0.record.body, kind: $0.record.kind, id: $0.record.id))
            }
            let all = alike + new
            let going = RankedPage.going(among: all)
            for index in going { if let key = all[index].key { try pages.purge(key) } }
            try pages.add(all.indices.filter { !going.contains($0) }.compactMap { all[$0].newBody })
        }
    }

    private static func isMade(_ body: JSONObject, by user: String?) -> Bool {
        user.map { body["createdBy"]?.stringValue.isExactly($0) == true } ?? false
    }
}
