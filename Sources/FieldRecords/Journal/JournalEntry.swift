import DocumentStore
import DocumentValues
import FieldModels

/// A change by its number, from 1; the pages' ids sort by it.
struct ChangeNumber: Sendable, Hashable {
    let value: Int

    private static let prefix = "change-"
    private static let digits = 12

    init(value: Int) { self.value = value }

    /// `change-000000000012-000003`, or without the page where an earlier version wrote all records into one document.
    init?(ofPage key: String) {
        let bytes = key.utf8
        guard bytes.starts(with: Self.prefix.utf8) else { return nil }
        let number = bytes.dropFirst(Self.prefix.utf8.count).prefix { $0 != UInt8(ascii: "-") }
        guard let value = Int(Substring(number)) else { return nil }
        self.value = value
    }

    func page(_ number: Int) -> String {
        Self.prefix + value.padded(to: Self.digits) + "-" + number.padded(to: Self.digits / 2)
    }
}

/// A change: its pages, at least one, in the order in which they were written.
struct JournalEntry: Sendable, Hashable {
    let change: ChangeNumber
    var pages: [JournalPage]

    var title: String { pages[0].title }
    var author: Author { pages[0].author }
    /// Empty for a change that cannot be taken back.
    var records: [JournalRecord] { pages.flatMap(\.records) }
}

extension [JournalEntry] {
    /// The content of a record before its last change, or deletion, here.
    func contentBeforeLastChange(of kind: RecordKind, _ id: String) -> JSONObject? {
        lazy.reversed().flatMap(\.records)
            .first { $0.kind == kind && $0.id.isExactly(id) && $0.before != nil }?.before?.body
    }
}

/// A document of the journal.
struct JournalPage: Sendable, Hashable {
    @Exact private(set) var key: String
    @Exact private(set) var title: String
    let author: Author
    /// One; several where an earlier version wrote it, none for a change that cannot be taken back.
    var records: [JournalRecord]

    init(key: String, title: String, author: Author, record: JournalRecord?) {
        self.init(key: key, title: title, author: author, records: record.map { [$0] } ?? [])
    }

    private init(key: String, title: String, author: Author, records: [JournalRecord]) {
        self.key = key
        self.title = title
        self.author = author
        self.records = records
    }

    /// `nil` for a page that this version cannot read.
    init?(key: String, body: [UInt8]) {
        guard let object = JSONObject.readable(body), let title = object["title"]?.stringValue,
            let moment = object["at"]?.stringValue.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            key: key, title: title, author: Author(name: object["by"]?.stringValue, moment: moment),
            records: (object["records"]?.arrayValue ?? []).compactMap { JournalRecord($0.objectValue) })
    }

    var body: [UInt8] {
        var object: JSONObject = ["title": .string(title), "at": .string(author.moment.description)]
        object["by"] = author.name.map(JSONValue.string)
        object["records"] = .array(records.map { .object($0.object) })
        return object.bytes
    }
}

/// A version that is the same as before under another revision.
struct RenamedVersion: Sendable, Hashable {
    let record: RecordReference
    let old: RevisionID
    /// `nil` for a purged record.
    let new: RevisionID?
}

/// The part of a change that concerns one record.
struct JournalRecord: Sendable, Hashable {
    struct Version: Sendable, Hashable {
        let revision: RevisionID
        let body: JSONObject
    }

    let kind: RecordKind
    @Exact private(set) var id: String
    /// `nil` for a new record.
    let before: Version?
    /// `nil` for one of which nothing is left.
    var after: RevisionID?
    /// The changes of the record's fields, a line each; `nil` for new and deleted records, and where an earlier version
    /// did not note it.
    var differences: [String]?
    /// The new values of the record's fields, `null` for a cleared one; empty for new and deleted records.
    var typed: [FieldPath: JSONValue] = [:]
    /// Whether the change deleted the record.
    var isDeletion = false

    var reference: RecordReference { RecordReference(kind, id: id) }

    init(kind: RecordKind, id: String, before: Version?) {
        self.kind = kind
        self.id = id
        self.before = before
    }
}

extension JournalRecord.Version {
    /// `nil` for one that was never saved.
    init?(_ document: Document) {
        guard let revision = document.revisionID.flatMap({ RevisionID($0) }) else { return nil }
        self.init(revision: revision, body: document.body)
    }
}

extension JournalRecord {
    fileprivate init?(_ object: JSONObject?) {
        guard let object, let kind = object["kind"]?.stringValue.flatMap({ RecordKind(exactly: $0) }),
            let id = object["id"]?.stringValue
        else { return nil }
        let revision = object["revision"]?.stringValue.flatMap { RevisionID($0) }
        let before = object["before"]?.objectValue
        self.init(
            kind: kind, id: id,
            before: revision.flatMap { revision in before.map { Version(revision: revision, body: $0) } })
        after = object["after"]?.stringValue.flatMap { RevisionID($0) }
        differences = object["differences"]?.arrayValue?.compactMap(\.stringValue)
        isDeletion = object["deletion"]?.boolValue == true
        for entry in object["typed"]?.arrayValue ?? [] {
            if let path = entry["field"].flatMap({ FieldPath($0) }) { typed[path] = entry["value"] ?? .null }
        }
    }

    fileprivate var object: JSONObject {
        var object: JSONObject = ["kind": .string(kind.rawValue), "id": .string(id)]
        object["revision"] = before.map { .string($0.revision.description) }
        object["before"] = before.map { .object($0.body) }
        object["after"] = after.map { .string($0.description) }
        object["differences"] = differences.map { .array($0.map { .string($0) }) }
        let typed = typed.sorted { $0.key.name.utf8.lexicographicallyPrecedes($1.key.name.utf8) }
            .map { path, value -> JSONValue in ["field": path.value, "value": value] }
        if !typed.isEmpty { object["typed"] = .array(typed) }
        if isDeletion { object["deletion"] = true }
        return object
    }
}
