import DocumentValues
import FieldModels

/// A merge in the form that the gateway accepts of the user who sends it: see `RecordConflictResolver.merged`.
struct SentMerge {
    let kind: RecordKind?
    let base: JSONObject?
    let local: JSONObject?
    let remote: JSONObject?
    /// The person who has deleted the record here, if known.
    let deletion: VersionStamp?
    let writer: RecordConflictResolver.Writer?
    /// On the writer's laptop.
    let overwritten: OverwrittenValues

    func merged() -> JSONObject? {
        if isClosing {
            guard let remote else { return nil }
            // Its new inspector has done it, too. The gateway takes further changes of it from no other user, and both
            // inspections name their assignment.
            if isClosedByOthers(remote) { return remote }
        }
        if let left = local?.leftToCreator(of: remote, since: base) {
            if let remote, left.hasSameContent(as: remote) { return remote }
            return with(local: left).merged()
        }
        let deletion = deletion ?? VersionStamp(by: nil, at: nil, device: nil)
        let merge = RecordMerge.merge(kind, base: knownBase, a: local, b: remote, held: .b, deletion: deletion)
        guard var merged = merge else { return nil }
        noteWriter(in: &merged)
        keepCreation(in: &merged)
        if isReviewLost(merged) { Supervision.takeBack(from: &merged, kind: kind) }
        return merged
    }

    private func with(local: JSONObject) -> SentMerge {
        SentMerge(
            kind: kind, base: base, local: local, remote: remote, deletion: deletion, writer: writer,
            overwritten: overwritten)
    }

    private func noteWriter(in merged: inout JSONObject) {
        let isChanged = isChanged(merged)
        if let writer, isChanged || !merged.hasSame("changedBy", as: remote) { merged.beChanged(by: writer) }
        // Who gave the values that the gateway has is noted there.
        if !isChanged, let remote, merged.hasSame("changedBy", as: remote) {
            merged[FieldChanges.member] = remote[FieldChanges.member]
        }
    }

    /// A merge that differs from the gateway's version counts as changed by its sender, even if the values are those of
    /// others, unless it only leaves questions open. A question that was decided here counts as decided by the sender.
    private func isChanged(_ merged: JSONObject) -> Bool {
        guard let remote else { return true }
        return !merged.hasSameContent(as: remote, besides: [ContestedValues.member])
            || !ContestedValues(of: merged).asksAll(of: ContestedValues(of: remote))
    }

    /// The creator of a record, and the time when it was handed in, are as the gateway has them.
    private func keepCreation(in merged: inout JSONObject) {
        let creator = remote.map { $0["createdBy"] } ?? merged["changedBy"] ?? merged["createdBy"]
        if merged["createdBy"] != creator { merged["createdBy"] = creator }
        guard let remote else { return }
        // Two who made a record under one id have each their moment of it.
        if merged["createdAt"] != remote["createdAt"] { merged["createdAt"] = remote["createdAt"] }
        if remote["status"] == merged["status"], remote["submittedAt"] != merged["submittedAt"] {
            merged["submittedAt"] = remote["submittedAt"]
        }
    }

    /// The base as this laptop knows it. A value that the other side has from this very laptop, and that was typed over
    /// here since, is no change of the other side: values of one laptop follow each other. The base may be older than the
    /// last version that was sent, where more was typed before that was confirmed.
    ///
    /// A value that this folder has never had may be the later one: the folder may be an old copy, and so may the version
    /// that was kept when access was lost.
    private var knownBase: JSONObject? {
        guard let base, let local, let remote, let writer, writer.device != nil else { return base }
        let (here, there) = (FieldChanges(of: local), FieldChanges(of: remote))
        func isOfWriter(_ stamp: VersionStamp) -> Bool {
            stamp.by.isExactly(writer.user) && stamp.device.isExactly(writer.device)
        }
        let changed = Set(FieldChanges.changedFields(from: base, to: local, of: kind))
        let candidates = FieldChanges.changedFields(from: base, to: remote, of: kind).filter { path in
            path.item == nil && changed.contains(path) && isOfWriter(here.stamp(at: path, in: local))
                && isOfWriter(there.stamp(at: path, in: remote))
        }
        let values = FieldTree(Dictionary(candidates.map { ($0, ()) }) { first, _ in first }).read(remote)
        let former = candidates.filter { overwritten.contains(values[$0] ?? .null, at: $0) }
        guard !former.isEmpty else { return base }
        return FieldTree(Dictionary(former.map { ($0, values[$0] ?? .null) }) { first, _ in first }).written(to: base)
    }

    /// Whether a merge has another user's approval or return that the gateway does not have, or not any more: it takes that
    /// only from the supervisor who gave it.
    private func isReviewLost(_ merged: JSONObject) -> Bool {
        guard let remote else { return true }
        let step = LifeCycleStep.path(of: kind)
        guard base == nil, let writer, !merged.hasSame(step.member, as: remote) else { return false }
        return FieldChanges(of: merged).stamp(at: step, in: merged).by?.isExactly(writer.user) != true
    }

    /// Whether the writer has only noted in another user's assignment that it is done. If that was deleted, no work is
    /// left, and only a supervisor could bring it back.
    private var isClosing: Bool {
        guard kind == .assignment, let local, local["status"] == .string(Assignment.Status.done.rawValue), let base,
            let writer, base["createdBy"]?.stringValue.isExactly(writer.user) != true
        else { return false }
        return MergedField.all(base: nil, base, and: local, in: nil).allSatisfy { field in
            ValueOrder.isSame(field.a, and: field.b) || Self.closed.containsExactly(field.path.member)
        }
    }

    private func isClosedByOthers(_ assignment: JSONObject) -> Bool {
        guard let writer, assignment["status"] == .string(Assignment.Status.done.rawValue) else { return false }
        return !["inspector", "createdBy"].contains { assignment[$0]?.stringValue.isExactly(writer.user) == true }
    }

    /// The members that change when an assignment is closed.
    private static let closed = [
        "status", "inspection", "changedBy", "changedAt", "device", FieldChanges.member, ContestedValues.member,
    ]
}

extension JSONObject {
    /// A record that was brought back, or made, under another user's name, and that the gateway has under its creator's
    /// name.
    fileprivate func leftToCreator(of remote: JSONObject?, since base: JSONObject?) -> JSONObject? {
        guard let remote, base == nil, !hasSame("createdBy", as: remote) else { return nil }
        return leaving(creatorOf: remote)
    }

    fileprivate func hasSame(_ member: String, as other: JSONObject?) -> Bool {
        other.map { ValueOrder.isSame(self[member], and: $0[member]) } ?? false
    }

    /// Names the writer if it names another user, and keeps the moment of that user's change: all laptops agree on no
    /// other moment.
    mutating func beChanged(by writer: RecordConflictResolver.Writer) {
        guard self["changedBy"]?.stringValue?.isExactly(writer.user) != true else { return }
        self["changedBy"] = .string(writer.user)
        self["device"] = writer.device.map { .string($0) }
    }
}
