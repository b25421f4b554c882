import DocumentStore
import DocumentValues
import FieldModels

/// The documents in which a laptop keeps changes by others, one for each record, and the number of their bytes that may be
/// dropped.
struct ChangePages {
    struct Page {
        let key: String
        let bytes: Int
        let date: Double
        /// `nil` for a page that this version cannot read.
        let changes: ChangesByOthers?

        fileprivate var mayGo: Bool { changes?.mayGo ?? true }
    }

    let collection: Collection

    // MARK: Keys

    /// The prefix for records that others have made, which are counted.
    private static let ofOthers = "others-"
    private static let ofOwner = "changes-"
    /// The bytes of those that may go: reading all of them each time would take the square of their number.
    private static let total = "total"

    private static func keys(_ record: RecordReference) -> [String] {
        let digest = SourceDigest.of([record.kind.rawValue, record.id])
        return [ofOwner + digest, ofOthers + digest]
    }

    private static func key(_ changes: ChangesByOthers) -> String {
        keys(changes.record)[changes.isOwners ? 0 : 1]
    }

    private static func isPage(_ key: String) -> Bool { !key.isExactly(total) }

    // MARK: Reading

    func all() throws -> [Page] { try pages(collection.documentIDs().filter(Self.isPage)) }

    private func pages(_ keys: [String]) throws -> [Page] {
        try zip(keys, try collection.bodies(of: keys)).compactMap { key, stored in
            guard let stored, !stored.isDeleted, let exchange = try collection.exchange(of: key) else { return nil }
            return Page(
                key: key, bytes: stored.body.count, date: exchange.date, changes: ChangesByOthers(page: stored.body))
        }
    }

    /// `nil` if others have not changed the record.
    func find(_ record: RecordReference) throws -> ChangesByOthers? { try page(of: record)?.changes }

    private func page(of record: RecordReference) throws -> Page? {
        try pages(Self.keys(record)).first { $0.changes?.record == record }
    }

    // MARK: Writing

    /// A version as large as a document can be is not kept: otherwise it would block the sync.
    func write(_ changes: ChangesByOthers) throws {
        let body = changes.page
        guard body.count <= StoreLimits.documentBody else { return }
        let key = Self.key(changes)
        if let former = try page(of: changes.record) {
            if former.mayGo { try add(-former.bytes) }
            if !former.key.isExactly(key) { try collection.purge(id: former.key) }
        }
        if changes.mayGo { try add(body.count) }
        try collection.save(bodies: [(key, body)])
    }

    /// - Parameter change: is not called if no changes of the record are kept.
    func change(_ record: RecordReference, by change: (ChangesByOthers) throws -> ChangesByOthers) throws {
        guard let known = try find(record) else { return }
        let changed = try change(known)
        if changed.fields.isEmpty { return try remove(record) }
        if changed != known { try write(changed) }
    }

    func remove(_ record: RecordReference) throws {
        if let page = try page(of: record) { try remove(page) }
    }

    func remove(_ page: Page) throws {
        if page.mayGo { try add(-page.bytes) }
        try collection.purge(id: page.key)
    }

    private func bytesThatMayGo() throws -> Int {
        let stored = try collection.bodies(of: [Self.total])[0]
        let known = stored.flatMap { JSONObject.readable($0.body)?["bytes"]?.integerValue }
        return try known.map { Int($0) } ?? all().reduce(0) { $0 + ($1.mayGo ? $1.bytes : 0) }
    }

    private func add(_ bytes: Int) throws {
        let total: JSONObject = ["bytes": .int(max(0, try bytesThatMayGo() + bytes))]
        try collection.save(bodies: [(Self.total, total.bytes)])
    }

    // MARK: Forgetting

    /// Changes that the user has not looked at stay longest, and those of the owner's records are never dropped for
    /// others before the owner has looked at them.
    func forgetOldest() throws {
        let ids = try collection.documentIDs(after: Self.ofOthers)
        let others = Array(ids.prefix { $0.utf8.starts(with: Self.ofOthers.utf8) })
        if others.count > FieldRecordsLimits.changedByOthers + FieldRecordsLimits.changedByOthersSlack {
            let going = try pages(others).sorted(by: Self.goes).dropLast(FieldRecordsLimits.changedByOthers)
            for page in going { try remove(page) }
        }
        var bytes = try bytesThatMayGo()
        guard bytes > FieldRecordsLimits.changedByOthersBytes else { return }
        // Well below, or all of them would be read again at once.
        let left = FieldRecordsLimits.changedByOthersBytes / 10 * 9
        for page in try all().filter(\.mayGo).sorted(by: Self.goes) where bytes > left {
            try remove(page)
            bytes -= page.bytes
        }
    }

    private static func goes(_ left: Page, before right: Page) -> Bool {
        let isMade = (left.changes?.isOwners ?? false, right.changes?.isOwners ?? false)
        if isMade.0 != isMade.1 { return isMade.1 }
        let isRead = ((left.changes?.notice ?? .read) >= .read, (right.changes?.notice ?? .read) >= .read)
        return isRead.0 == isRead.1 ? left.date < right.date : isRead.0
    }
}
