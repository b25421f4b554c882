import DocumentValues
import FieldModels

/// A record that was deleted, here or by another user, as it was on this laptop.
public struct DeletedRecord: Sendable, Hashable {
    public let kind: RecordKind
    @Exact public private(set) var id: String
    /// Its title for people: `Old mill, 2026-03-04 routine`.
    @Exact public private(set) var title: String
    /// When it was deleted here, or when this laptop heard of it: a deletion says neither who made it nor when.
    public let moment: Timestamp
    public let body: JSONObject
    /// The change of this laptop that deleted it; `nil` where others have.
    var change: ChangeNumber?
    /// It is a finding that was deleted weeks after its inspection, and not by a person.
    var isTied = false
    /// A list of deleted records has shown it.
    var isSeen = false
    /// The deleted inspection with which a finding is hidden, and comes back; `nil` for a record that is deleted
    /// itself.
    public private(set) var hiddenWith: RecordReference?

    /// It was deleted on this laptop.
    public var isOwn: Bool { change != nil }

    public var reference: RecordReference { RecordReference(kind, id: id) }

    /// Whether the user has made it, or is named as its inspector.
    func isWork(of user: String) -> Bool {
        ["createdBy", "inspector"].contains { body[$0]?.stringValue?.isExactly(user) == true }
    }

    /// `site mill, Old mill`; `finding k3m9, Old mill, Dust, with its inspection x2pq`.
    public var line: String {
        let name = "\(kind.rawValue) \(reference.shortID)"
        let titled = title.isExactly(id) ? name : "\(name), \(title)"
        return hiddenWith.map { "\(titled), with its inspection \($0.shortID)" } ?? titled
    }
}
