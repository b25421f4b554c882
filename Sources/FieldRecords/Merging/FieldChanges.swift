import DocumentValues
import FieldModels

/// The member `fieldChanges` of a record: the last change of each field, with its person, moment and device.
///
/// `changedBy` names the person who changed the record last. That need not be the person who typed a value, as soon as
/// several people have edited the record; and of two values of a field, the people who gave them have to be known.
///
/// It is a list with one element for each person on each device, which has the moment of their last change and the fields.
/// So it is as long as the fields that were changed since the record was made. The status has an element of its own: the
/// moment of an approval does not change with a later edit by the same person.
struct FieldChanges: Sendable {
    static let member = "fieldChanges"

    /// Who, on which device, and whether it was a step of the life cycle.
    private struct Hand: Hashable {
        let by: Name?
        let device: Name?
        let isStep: Bool

        init(_ stamp: VersionStamp, at path: FieldPath) {
            by = stamp.by.map { Name($0) }
            device = stamp.device.map { Name($0) }
            isStep = LifeCycleStep.isStep(path)
        }
    }

    private static let status = FieldPath("status")

    private var stamps: [FieldPath: VersionStamp] = [:]

    private init() {}

    /// An element that cannot be read is left out: it has no value that a person typed.
    init(of object: JSONObject) {
        for element in object[Self.member]?.arrayValue ?? [] {
            guard let entry = element.objectValue else { continue }
            let stamp = VersionStamp(entry: entry)
            for path in (entry["fields"]?.arrayValue ?? []).compactMap({ FieldPath($0) }) { stamps[path] = stamp }
        }
    }

    /// The person who gave a version its value of a field: the creator, if it was not changed since. The name and the
    /// caption of a photo are of the person who attached it.
    ///
    /// - Parameter object: the version. If it has no such member, only the person who changed it last is known.
    func stamp(at path: FieldPath, in object: JSONObject) -> VersionStamp {
        if let stamp = stamps[path] ?? path.item.flatMap({ stamps[$0] }) { return stamp }
        guard !stamps.isEmpty else { return VersionStamp(of: object) }
        return VersionStamp(
            by: object["createdBy"]?.stringValue,
            at: object["createdAt"]?.stringValue.flatMap { Timestamp($0) }, device: nil)
    }

    /// Notes the person who changed the version last for the fields that differ from the base and have no new note. Other
    /// programs may write no notes, or leave out earlier ones.
    ///
    /// The note of a state stays, which gateways demand, and a photo's name may come from a merge.
    func completed(_ object: JSONObject, since base: JSONObject, of kind: RecordKind?) -> FieldChanges {
        guard object["changedBy"]?.stringValue != nil else { return self }
        let known = FieldChanges(of: base)
        let last = Self.changer(of: object, since: base)
        var completed = self
        for path in Self.changedFields(from: base, to: object, of: kind)
        where !LifeCycleStep.isStep(path) && !path.isNameOfPhoto && MergeRule(path.member, of: kind).isDecidedByPeople {
            if stamps[path] == nil || stamps[path] == known.stamps[path] { completed.stamps[path] = last }
        }
        return completed
    }

    /// Notes the people of the fields without a note, if they are others than this person. Without a note a field counts as
    /// given by the creator, or by the person who changed the record last, and a record that is brought back has other names
    /// for both.
    ///
    /// - Parameter object: the record as it was before.
    func completed(_ object: JSONObject, of kind: RecordKind, broughtBackBy name: String?) -> FieldChanges {
        var completed = self
        for path in Self.changedFields(from: JSONObject(), to: object, of: kind)
        where !LifeCycleStep.isStep(path) && stamps[path] == nil && MergeRule(path.member, of: kind).isDecidedByPeople {
            let stamp = stamp(at: path, in: object)
            if let giver = stamp.by, !name.isExactly(giver) { completed.stamps[path] = stamp }
        }
        return completed
    }

    /// The last change of a version. A moment and a device from before a person put in their own name are not those of
    /// that person.
    private static func changer(of object: JSONObject, since base: JSONObject) -> VersionStamp {
        let (stamp, before) = (VersionStamp(of: object), VersionStamp(of: base))
        let isLeft = stamp != before && stamp == VersionStamp(by: stamp.by, at: before.at, device: before.device)
        return isLeft ? VersionStamp(by: stamp.by, at: nil, device: nil) : stamp
    }

    /// The latest of the changes of these fields; of two at one time, the same one on every laptop; `nil` if none is noted.
    func last(of paths: [FieldPath]) -> VersionStamp? {
        paths.compactMap { stamps[$0] }.max { Self.isEarlier($0, than: $1) }
    }

    /// The fields that a person has changed, as far as it is noted, in the order of their names.
    func fields(by name: String?) -> [FieldPath] {
        stamps.filter { $0.value.by.isExactly(name) }.keys
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Whether this person has changed any of them on this device.
    func names(_ name: String, device: String?) -> Bool {
        stamps.values.contains { $0.by.isExactly(name) && $0.device.isExactly(device) }
    }

    /// Whether a version with these changes can have come from another one: a note there is here, too, or the field was given
    /// a later value. The moment of a person's last change on a device is that of all fields of theirs, so that an older one
    /// shows that changes are missing. Versions of programs without notes prove nothing.
    ///
    /// A removed answer counts as missing if its person had changed no other field.
    func includes(_ earlier: FieldChanges) -> Bool {
        guard !stamps.isEmpty else { return true }
        let known = stamps.compactMap { path, stamp in stamp.at.map { (Hand(stamp, at: path), $0) } }
        let moments = Dictionary(known, uniquingKeysWith: max)
        return earlier.stamps.allSatisfy { path, stamp in
            guard let moment = stamp.at else { return true }
            if let last = moments[Hand(stamp, at: path)] { return last >= moment }
            return stamps[path]?.at.map { $0 > moment } ?? false
        }
    }

    /// Whether a later value of a field is noted than the known one.
    func isLater(at path: FieldPath, than known: FieldChanges) -> Bool {
        guard let stamp = stamps[path] else { return false }
        guard let before = known.stamps[path] else { return true }
        guard let moment = stamp.at, let last = before.at else { return stamp != before }
        return moment > last
    }

    /// Of two at one moment always the same is the earlier one; one whose moment is not known is before all others.
    private static func isEarlier(_ left: VersionStamp, than right: VersionStamp) -> Bool {
        order(left).lexicographicallyPrecedes(order(right))
    }

    private static func order(_ stamp: VersionStamp) -> [UInt8] {
        var entry = JSONObject()
        stamp.write(to: &entry)
        return ValueOrder.key(entry["at"]) + [0] + ValueOrder.key(.object(entry))
    }

    /// Puts the list in its member, in an order that is the same everywhere.
    func write(to object: inout JSONObject) {
        let entries = Dictionary(grouping: stamps) { Hand($0.value, at: $0.key) }.values.map { Self.entry($0) }
        let sorted = entries.map { (key: ValueOrder.key($0), value: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        object[Self.member] = sorted.unlessEmpty
    }

    private static func entry(_ fields: [(key: FieldPath, value: VersionStamp)]) -> JSONValue {
        var entry = JSONObject()
        var stamp = fields[0].value
        stamp.at = fields.compactMap(\.value.at).max()
        stamp.write(to: &entry)
        let paths = fields.map(\.key.value).map { (key: ValueOrder.key($0), value: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        entry["fields"] = .array(paths)
        return .object(entry)
    }

    // MARK: Editing

    /// The people who gave or removed absent answers need not be known.
    func withoutRemovedAnswers(in object: JSONObject) -> FieldChanges {
        let answers = stamps.keys.filter { $0.member.isExactly("answers") }
        let present = ContestedValues.present(
            Dictionary(uniqueKeysWithValues: answers.map { ($0, ()) }), in: object)
        var changes = self
        for path in answers where present[path] == nil { changes.stamps[path] = nil }
        return changes
    }

    /// After a person has changed the record: its stamp is of that change.
    ///
    /// - Parameter decided: fields about which that person has decided. Their values are that person's from now on, also
    ///   where they stay as they were; but who confirms that an inspection is handed in has not handed it in.
    static func afterEdit(
        from before: JSONObject, to after: JSONObject, of kind: RecordKind, decided: Set<FieldPath> = []
    ) -> FieldChanges {
        var changes = FieldChanges(of: before)
        let stamp = VersionStamp(of: after)
        for path in changedFields(from: before, to: after, of: kind) { changes.stamps[path] = stamp }
        let step = LifeCycleStep.path(of: kind)
        let isHandedIn = LifeCycleStep.status(after[step.member], of: kind) == .submitted
        // The name and the caption of a photo that stays are still of those who gave them.
        for path in decided where !(path == step && isHandedIn) {
            changes.stamps[path.isItem ? keeping(path) : path] = stamp
        }
        return changes
    }

    /// Under which it is noted who decided that a photo stays.
    static func keeping(_ item: FieldPath) -> FieldPath { item.appending("kept") }

    /// Fields that people give values to, and that differ.
    static func changedFields(from before: JSONObject, to after: JSONObject, of kind: RecordKind?) -> [FieldPath] {
        differing(MergedField.all(base: nil, before, and: after, in: nil)).flatMap { field -> [FieldPath] in
            switch MergeRule(field.path.member, of: kind) {
            case .value, .district, .ranked, .following, .status: [field.path]
            case .members: field.members.map { differing($0).map(\.path) } ?? [field.path]
            case .items, .channels: changedItems(field)
            // An approval that is given again changes nothing else.
            case .approval: [status]
            case .quiet, .quietMembers, .entries, .submission, .stamp, .conflicts, .fieldChanges: []
            }
        }
    }

    private static func changedItems(_ field: MergedField) -> [FieldPath] {
        let (before, after) = (items(field.a), items(field.b))
        return Set(before.keys).union(after.keys).flatMap { key -> [FieldPath] in
            let item = MergedField(
                path: field.path.appending(key.text), base: nil, a: before[key], b: after[key])
            guard before[key] != nil, after[key] != nil, let members = item.members else {
                return ValueOrder.isSame(item.a, and: item.b) ? [] : [item.path]
            }
            return differing(members).map(\.path)
        }
    }

    private static func items(_ value: JSONValue?) -> [Name: JSONValue] {
        let items = value?.arrayValue ?? []
        return Dictionary(zip(ItemKeys(items).keys, items), uniquingKeysWith: { $1 })
    }

    private static func differing(_ fields: [MergedField]) -> [MergedField] {
        fields.filter { !ValueOrder.isSame($0.a, and: $0.b) }
    }

    // MARK: Merging

    /// Of each field that of the side whose value is in the outcome; where both have it, that of the later change, but of
    /// a state that both gave the reviewer's, who is asked by the gateway.
    static func merge(
        base: MergeSide?, _ a: MergeSide, with b: MergeSide, into result: JSONObject, reviewer: MergeSide? = nil
    ) -> FieldChanges {
        let paths = a.changes.stamps.merging(b.changes.stamps) { first, _ in first }.mapValues { _ in () }
        let values = [a.object, b.object, result].map { ContestedValues.present(paths, in: $0) }
        var merged = FieldChanges()
        for path in paths.keys {
            let isOf = (
                ValueOrder.isSame(values[0][path], and: values[2][path]),
                ValueOrder.isSame(values[1][path], and: values[2][path])
            )
            let stamps = (a.changes.stamps[path], b.changes.stamps[path])
            switch isOf {
            case (true, false): merged.stamps[path] = stamps.0
            case (false, true): merged.stamps[path] = stamps.1
            case (true, true), (false, false):
                merged.stamps[path] = later(base: base?.changes.stamps[path], stamps.0, and: stamps.1)
            }
        }
        for step in [status, LifeCycleStep.state] {
            if let stamp = reviewer?.changes.stamps[step] { merged.stamps[step] = stamp }
        }
        return merged
    }

    /// What the other side has not known before; otherwise the same one on every laptop.
    private static func later(base: VersionStamp?, _ a: VersionStamp?, and b: VersionStamp?) -> VersionStamp? {
        guard let a, let b else { return a ?? b }
        if a == base { return b }
        if b == base { return a }
        return isEarlier(a, than: b) ? b : a
    }
}

extension FieldPath {
    var isNameOfPhoto: Bool { item != nil && lastName.isExactly("name") }
}

extension RecordEnvelope {
    /// Notes whose the fields are that were changed, by the stamp of the version after the change.
    mutating func noteChanges(before: JSONObject, after: JSONObject, of kind: RecordKind) {
        FieldChanges.afterEdit(from: before, to: after, of: kind).write(to: &rest)
    }

    mutating func forgetNotesOfRemovedAnswers(in object: JSONObject) {
        FieldChanges(of: rest).withoutRemovedAnswers(in: object).write(to: &rest)
    }
}
