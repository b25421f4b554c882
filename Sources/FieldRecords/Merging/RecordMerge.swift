import DocumentValues
import FieldModels

/// Merges two versions of a record that were made without knowledge of each other.
///
/// It is pure and symmetric: it gets the common version and the two versions, but not which of them is the own one, or the
/// time. So whichever laptop resolves a conflict, the outcome is the same. The version that the gateway has counts only if
/// no user but a supervisor could send another value: see `MergeChoices.keeper(of:)`. It works on the JSON, so that
/// members of newer versions of the program are merged, too.
///
/// - A field that one side changed is as that side has it.
/// - A field that both changed to different values is a conflict: the more informative value (see `ValueOrder`) is the
///   current one, and all of them are in the record's member `conflicts` until a person has decided (see `ContestedValues`).
/// - The day of a finding is no conflict: it is its inspection's day. People decide about that one, and the finding's
///   follows it.
/// - States go by the order of the life cycle (see `LifeCycleOrder`). Where one side approved an inspection, the inspection
///   is kept as the supervisor saw it. The changes of the other side become a conflict, and are not added to the approved
///   content unseen.
/// - Lists, such as photos and channels, merge item by item: an item that either side added is there, and an item that
///   one side removed and the other did not change is gone. A photo that one side removed, and the other changed or
///   approved, stays and is to be decided.
/// - An edit beats a deletion, and the record says so.
/// - Where the common version is not known, fields that differ are conflicts, and a field that one side has stays. States
///   go by the steps from a draft, or from an open assignment, then.
enum RecordMerge {
    /// - Parameters:
    ///   - kind: `nil` for a document that is none of ours.
    ///   - base: the version that both came from; `nil` where it is not known.
    ///   - a: one version; `nil` where the record was deleted.
    ///   - b: the other one.
    ///   - held: which of the two the gateway has; `nil` where that is not known.
    ///   - deletion: who deleted the record, as far as that is known: a deletion itself does not say.
    /// - Returns: the merged record; `nil` where it is to be deleted.
    static func merge(
        _ kind: RecordKind?, base: JSONObject?, a: JSONObject?, b: JSONObject?, held: MergeSide.Letter? = nil,
        deletion: VersionStamp = VersionStamp(by: nil, at: nil, device: nil)
    ) -> JSONObject? {
        switch (a, b) {
        case (nil, nil): return nil
        case (let kept?, nil), (nil, let kept?): return merge(base: base, kept, with: deletion)
        case (let a?, let b?):
            if ValueOrder.isSame(a, and: b) { return ValueOrder.greater(.object(a), and: .object(b))?.objectValue }
            if let base {
                if ValueOrder.isSame(a, and: base) { return b }
                if ValueOrder.isSame(b, and: base) { return a }
            }
            if kind == .form, let whole = PublishedVersion.chosen(a: a, b: b, held: held) { return whole }
            var merger = RecordMerger(MergedVersions(kind, base: base, a: a, b: b, held: held))
            return merger.merge()
        }
    }

    private static func merge(
        base: JSONObject?, _ kept: JSONObject, with deletion: VersionStamp
    ) -> JSONObject? {
        if let base, ValueOrder.isSame(kept, and: base) { return nil }
        var contested = ContestedValues(of: kept)
        // The present decision that it is to go is asked about, not an earlier one.
        guard !contested.hasDeletion || deletion.by != nil else { return kept }
        contested.removeDeletion()
        contested.insert(ContestedValue(.deletion, value: nil, stamp: deletion))
        var result = kept
        contested.write(to: &result)
        return result
    }
}
