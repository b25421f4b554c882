import DocumentValues
import FieldModels

/// The changes by others in a record of the laptop's user, with the former values, which are nowhere else.
///
/// A record has one of these, however often others change it. Of each field it keeps the value before the first of their
/// changes, so that another change cannot push it out.
public struct ChangesByOthers: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public let path: FieldPath
        /// `nil` for none. Of `conflicts` those values that were to be decided about, and are not there any more.
        public let before: JSONValue?
        /// Of an added photo it is only the name, and of a long value the beginning and a digest: see `LeftValue`.
        public let after: JSONValue?
        /// The person who gave the field that value.
        public let stamp: VersionStamp
        public var notice = Notice.new
        /// Set if the record itself notes that its owner gave the value: on another laptop, or because another user has
        /// forged the note.
        public var noted: VersionStamp?
    }

    /// How far the person knows of it.
    public enum Notice: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Not at all.
        case new
        /// A sync has named it.
        case named
        /// Its values were shown.
        case read
        /// The person has decided about the field since.
        case settled

        public static func < (left: Notice, right: Notice) -> Bool {
            let order = allCases
            return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
        }
    }

    public let record: RecordReference
    /// The owner of the record.
    @Exact public private(set) var owner: String
    /// In the order of their names.
    public private(set) var fields: [Field]
    /// The notice of the field that the person knows least of.
    public var notice: Notice { fields.map(\.notice).min() ?? .settled }
    /// The last one that brought a change.
    @Exact var revision = ""
    /// Whether the owner has made the record, or has worked on it here. Others can make any number that only names them.
    var isOwners = false

    /// Whether it may be dropped when changes by others take too much space. The changes of records that the owner has worked
    /// on must not be, until the owner has looked at them. An approval may be: it is in the record, too.
    var mayGo: Bool { !isOwners || fields.allSatisfy { $0.notice >= ($0.isApproval ? .named : .read) } }

    /// Whether the person has to hear of nothing but the approval.
    var isOnlyApproval: Bool {
        fields.contains(where: \.isApproval) && fields.allSatisfy { $0.isApproval || $0.notice >= .read }
    }

    init(_ record: RecordReference, owner: String, fields: [Field]) {
        self.record = record
        self.owner = owner
        self.fields = fields
    }

    /// - Parameters:
    ///   - old: the former version of the gateway.
    ///   - new: its present version.
    ///   - present: the version of this laptop. If a field was changed here, too, a merge keeps both values.
    ///   - isLost: whether the gateway has lost `old`, and the new version does not come from it. Then the values that it
    ///     lacks were not changed by any user: a merge puts it together with the version here.
    /// - Returns: `nil` if the record is not the owner's, or no other user has given a value to any of its fields.
    init?(
        _ record: RecordReference, owner: String, from old: JSONObject, to new: JSONObject, present: JSONObject,
        isLost: Bool = false
    ) {
        guard Self.isOwn(old, of: record.kind, owner: owner) else { return nil }
        // A change without a name is the creator's, who need not be the record's owner.
        let changer = new["changedBy"]?.stringValue ?? new["createdBy"]?.stringValue
        let isOfOwner = changer.map { $0.isExactly(owner) } ?? true
        let (known, noted) = (FieldChanges(of: old), FieldChanges(of: new))
        let paths = Self.paths(from: old, to: new, of: record.kind)
            .filter { !isLost || noted.isLater(at: $0, than: known) }
        let tree = FieldTree(Dictionary(uniqueKeysWithValues: paths.map { ($0, ()) }))
        let (before, after, here) = (tree.read(old), tree.read(new), tree.read(present))
        let changes = isLost ? noted : noted.completed(new, since: old, of: record.kind)
        let fields = paths.compactMap { path -> Field? in
            var stamp = changes.stamp(at: path, in: new)
            if !ValueOrder.isSame(here[path], and: before[path]) { return nil }
            var noted: VersionStamp?
            if stamp.by.isExactly(owner) {
                if isOfOwner { return nil }
                // A photo still belongs to the person who attached it when another user renames it.
                if path.isNameOfPhoto {
                    return Field(
                        path: path, before: before[path], after: LeftValue.of(after[path]), stamp: VersionStamp(of: new)
                    )
                }
                // The gateway checks the name of the user who changed the record, but not the names that the user notes
                // for its fields. No user can approve in another's name.
                let isApproval = path == Self.status && after[path] == Self.approved
                (noted, stamp) = (isApproval ? nil : stamp, VersionStamp(of: new))
            }
            let left = path.isItem ? after[path]?["name"] : LeftValue.of(after[path])
            return Field(path: path, before: before[path], after: left, stamp: stamp, noted: noted)
        }
        let decided = isOfOwner || isLost ? nil : Self.decided(from: old, to: new, present: present, owner: owner)
        let all = fields + (decided.map { [$0] } ?? [])
        guard !all.isEmpty else { return nil }
        self.init(record, owner: owner, fields: all)
        isOwners = old["createdBy"]?.stringValue.isExactly(owner) == true
    }

    /// An inspection that another user has made with this person as its inspector, and handed in: it counts as this
    /// person's.
    ///
    /// - Returns: `nil` for all others. An import notes no creator: no user has made the records of an office's register.
    init?(madeByOthers record: RecordReference, for inspector: String, body: JSONObject) {
        func isInspector(_ member: String) -> Bool { body[member]?.stringValue.isExactly(inspector) == true }
        guard record.kind == .inspection, body["status"] == Self.submitted, isInspector("inspector"),
            body["createdBy"]?.stringValue != nil, !isInspector("createdBy"), !isInspector("changedBy")
        else { return nil }
        let step = Field(path: Self.status, before: nil, after: Self.submitted, stamp: VersionStamp(of: body))
        self.init(record, owner: inspector, fields: [step])
    }

    /// Another user has decided about values of the owner's, and the rejected ones are nowhere else. Decisions of supervisors
    /// are reported separately.
    private static func decided(
        from old: JSONObject, to new: JSONObject, present: JSONObject, owner: String
    ) -> Field? {
        let (left, here) = (ContestedValues(of: new), ContestedValues(of: present))
        let asked = ContestedValues(of: old).values.filter { $0.stamp.by.isExactly(owner) }
        let paths = Dictionary(asked.compactMap { value in value.path.map { ($0, ()) } }) { first, _ in first }
        let now = ContestedValues.present(paths, in: new)
        let gone = asked.compactMap { value -> DecidedValue? in
            guard let path = value.path, path != review, path != status,
                left.stamp(of: value.value, at: path) == nil, here.stamp(of: value.value, at: path) != nil,
                !ValueOrder.isSame(now[path], and: value.value)
            else { return nil }
            return DecidedValue(value, inFavourOf: now[path])
        }
        guard !gone.isEmpty else { return nil }
        return Field(path: questions, before: .array(gone.map(\.json)), after: nil, stamp: VersionStamp(of: new))
    }

    /// As a gateway's sync function has it.
    private static func isOwn(_ object: JSONObject, of kind: RecordKind, owner: String) -> Bool {
        let people = kind == .inspection ? ["createdBy", "inspector"] : ["createdBy"]
        return people.contains { object[$0]?.stringValue?.isExactly(owner) == true }
    }

    private static func paths(from old: JSONObject, to new: JSONObject, of kind: RecordKind) -> [FieldPath] {
        let changed = Set(FieldChanges.changedFields(from: old, to: new, of: kind))
        return changed.filter { isReported($0, from: old, to: new, of: kind) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns by supervisors are reported separately, and the site of a finding follows from its inspection.
    private static func isReported(
        _ path: FieldPath, from old: JSONObject, to new: JSONObject, of kind: RecordKind
    ) -> Bool {
        guard MergeRule(path.member, of: kind).isDecidedByPeople, path != review else { return false }
        // It says when a file was attached, and comes with the file.
        if path.item != nil, path.lastName.isExactly("attachedAt") { return false }
        if path == status {
            return new["status"] == approved ? old["status"] != approved : isOpen(old) && new["status"] == submitted
        }
        return kind != .finding || !["site", "district"].containsExactly(path.member)
    }

    private static func isOpen(_ inspection: JSONObject) -> Bool {
        inspection["status"]?.stringValue.flatMap { Inspection.Status(exactly: $0) }?.isOpen ?? true
    }

    static let status = FieldPath("status")
    static let questions = FieldPath(ContestedValues.member)
    private static let review = FieldPath("review")
    private static let submitted = JSONValue.string(Inspection.Status.submitted.rawValue)
    fileprivate static let approved = JSONValue.string(Inspection.Status.approved.rawValue)

    // MARK: Several changes

    /// Both changes as one.
    ///
    /// - Parameter present: the version here between them.
    func following(_ earlier: ChangesByOthers, present: JSONObject) -> ChangesByOthers {
        let asLeft = Set(earlier.fields(asLeftIn: present).map(\.path))
        // A field to which the owner has given another value since is no news.
        let earlier = earlier.settled(Set(earlier.fields.map(\.path)).subtracting(asLeft))
        let known = Dictionary(earlier.fields.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        let changed = Set(fields.map(\.path))
        let later = fields.compactMap { field -> Field? in
            guard let before = known[field.path] else { return field }
            return field.following(before)
        }
        let all = (earlier.fields.filter { !changed.contains($0.path) } + later)
            .sorted { $0.path.name.utf8.lexicographicallyPrecedes($1.path.name.utf8) }
        var changes = with(all)
        changes.isOwners = isOwners || earlier.isOwners
        return changes
    }
}

extension ChangesByOthers {
    /// The same where the person knows of it at least so far.
    func noticed(_ notice: Notice) -> ChangesByOthers {
        var changes = self
        for index in fields.indices { changes.fields[index].notice = max(fields[index].notice, notice) }
        return changes
    }

    /// The same, as if the user had not been notified of it.
    public var unnoticed: ChangesByOthers {
        var changes = self
        for index in fields.indices { changes.fields[index].notice = .new }
        return changes
    }

    /// The same where the person has decided about some fields.
    func settled(_ paths: Set<FieldPath>) -> ChangesByOthers {
        var changes = self
        for index in fields.indices where paths.contains(fields[index].path) { changes.fields[index].notice = .settled }
        return changes
    }

    /// The same where the person has taken decisions about some fields back.
    func reopened(_ paths: Set<FieldPath>) -> ChangesByOthers {
        var changes = self
        for index in fields.indices where fields[index].notice == .settled && paths.contains(fields[index].path) {
            changes.fields[index].notice = .read
        }
        return changes
    }

    /// The same without values that a person has decided about here.
    func forgettingQuestions(about paths: Set<FieldPath>) -> ChangesByOthers {
        with(
            fields.compactMap { field in
                guard field.path == Self.questions else { return field }
                let left = field.decided.filter { decided in decided.value.path.map { !paths.contains($0) } ?? true }
                return left.isEmpty ? nil : field.with(before: .array(left.map(\.json)))
            })
    }

    /// The same, about other fields.
    func with(_ fields: [Field]) -> ChangesByOthers {
        var changes = ChangesByOthers(record, owner: owner, fields: fields)
        changes.revision = revision
        changes.isOwners = isOwners
        return changes
    }
}

extension ChangesByOthers.Field {
    var isApproval: Bool { path == ChangesByOthers.status && after == ChangesByOthers.approved }

    fileprivate func with(before: JSONValue?) -> ChangesByOthers.Field {
        ChangesByOthers.Field(path: path, before: before, after: after, stamp: stamp, notice: notice, noted: noted)
    }

    /// - Returns: `nil` where the field is as it was before.
    fileprivate func following(_ earlier: ChangesByOthers.Field) -> ChangesByOthers.Field? {
        if path == ChangesByOthers.questions {
            let all = (earlier.before?.arrayValue ?? []) + (before?.arrayValue ?? [])
            // Photos that were named before are named again with the new ones.
            return ChangesByOthers.Field(path: path, before: .array(all), after: nil, stamp: stamp)
        }
        let known = path.isItem ? before?["name"] : LeftValue.of(before)
        // Otherwise the owner has given it another value since.
        guard ValueOrder.isSame(known, and: earlier.after) else { return self }
        let isBack =
            path.isItem
            ? (earlier.before == nil) == (after == nil) : ValueOrder.isSame(LeftValue.of(earlier.before), and: after)
        guard !isBack else { return nil }
        return ChangesByOthers.Field(path: path, before: earlier.before, after: after, stamp: stamp, noted: noted)
    }
}

// MARK: - In JSON

extension ChangesByOthers {
    /// `nil` for a page that this version cannot read.
    init?(page body: [UInt8]) {
        guard let object = JSONObject.readable(body),
            let kind = object["kind"]?.stringValue.flatMap({ RecordKind(exactly: $0) }),
            let id = object["id"]?.stringValue, let owner = object["owner"]?.stringValue
        else { return nil }
        self.init(
            RecordReference(kind, id: id), owner: owner,
            fields: (object["fields"]?.arrayValue ?? []).compactMap { $0.objectValue.flatMap { Field($0) } })
        // Earlier versions noted one for all fields.
        if let known = object["notice"]?.stringValue.flatMap({ Notice(exactly: $0) }) { self = noticed(known) }
        revision = object["revision"]?.stringValue ?? ""
        isOwners = object["made"] == .bool(true)
    }

    /// Without fields that are nested too deep to be read again.
    var page: [UInt8] {
        with(fields.filter { JSONObject.readable(with([$0]).bytes) != nil }).bytes
    }

    private var bytes: [UInt8] {
        let object: JSONObject = [
            "kind": .string(record.kind.rawValue), "id": .string(record.id), "owner": .string(owner),
            "revision": .string(revision), "made": .bool(isOwners),
            "fields": .array(fields.map { .object($0.object) }),
        ]
        return object.bytes
    }
}

extension ChangesByOthers.Field {
    fileprivate init?(_ object: JSONObject) {
        guard let path = object["field"].flatMap({ FieldPath($0) }) else { return nil }
        self.init(
            path: path, before: object["before"], after: object["after"], stamp: VersionStamp(entry: object),
            notice: object["notice"]?.stringValue.flatMap { ChangesByOthers.Notice(exactly: $0) } ?? .new,
            noted: object["noted"]?.objectValue.map { VersionStamp(entry: $0) })
    }

    fileprivate var object: JSONObject {
        var object: JSONObject = ["field": path.value]
        object["before"] = before
        object["after"] = after
        if notice != .new { object["notice"] = .string(notice.rawValue) }
        if let noted {
            var entry = JSONObject()
            noted.write(to: &entry)
            object["noted"] = .object(entry)
        }
        stamp.write(to: &object)
        return object
    }
}
