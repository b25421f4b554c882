import DocumentStore
import DocumentValues
import FieldModels

/// An edit that was never pushed before its record was taken away: it is in quarantine, not gone.
public struct QuarantinedRecord: Sendable, Hashable, Identifiable {
    public let id: Int64
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var collection: String
    @Exact public private(set) var documentID: String
    /// Its title in lists; for a deletion the last known title of the record.
    @Exact public private(set) var title: String
    @Exact public private(set) var reason: String
    public let moment: Timestamp
    /// The worker's version of the record.
    public let body: JSONObject
    public let isDeleted: Bool
    /// The changes made here and never sent: `score 60 → 80`, a line each; `nil` if the gateway's version is not known, as
    /// for a new record, and for a deletion.
    public let changes: [String]?

    /// The record's id as people see it.
    public var shortID: String { RecordReference.short(documentID, kind: kind) }
}
