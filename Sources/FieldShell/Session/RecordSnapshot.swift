import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// A record as a person knows it, an inspection with its findings: to see whether it has changed when they act on it.
/// Unreadable parts are left out.
struct RecordSnapshot: Hashable, Sendable {
    let reference: RecordReference
    private var records: [RecordReference: JSONObject] = [:]

    init(of reference: RecordReference, in field: FieldDatabase) throws {
        self.reference = reference
        switch reference.kind {
        case .inspection:
            try add(field.inspections)
            for finding in try field.findings.all(ofInspection: reference.id).records {
                records[RecordReference(.finding, id: finding.id)] = finding.object
            }
        case .finding: try add(field.findings)
        case .assignment: try add(field.assignments)
        case .site: try add(field.sites)
        case .form: try add(field.forms)
        case .response: try add(field.responses)
        }
    }

    /// A record that was written by the person.
    init(of reference: RecordReference, written object: JSONObject) {
        self.reference = reference
        records[reference] = object
    }

    private mutating func add<Record>(_ repository: RecordRepository<Record>) throws {
        do {
            records[reference] = try repository.find(reference.id)?.object
        } catch is RecordError {}
    }

    /// The record without its findings.
    var object: JSONObject? { records[reference] }

    /// The user knows their own changes. An earlier change by another user stays unknown to them.
    ///
    /// - Returns: `nil` if the change is of none of these records.
    func noting(_ change: OwnChange) -> RecordSnapshot? {
        var noted = self
        guard let after = change.after else {
            return noted.records.removeValue(forKey: change.record) == nil ? nil : noted
        }
        if let known = records[change.record] {
            noted.records[change.record] = Self.patch(known, from: change.before ?? JSONObject(), to: after)
        } else if change.before == nil, change.record.kind == .finding, reference.kind == .inspection,
            after["inspection"]?.stringValue?.isExactly(reference.id) == true
        {
            noted.records[change.record] = after
        } else {
            return nil
        }
        return noted
    }

    private static func patch(_ known: JSONObject, from before: JSONObject, to after: JSONObject) -> JSONObject {
        var patched = known
        let names = after.members.map(\.key) + before.members.map(\.key).filter { after[$0] == nil }
        for name in names where before[name] != after[name] {
            if known[name] == before[name] {
                patched[name] = after[name]
            } else if let inner = known[name]?.objectValue, let old = before[name]?.objectValue,
                let new = after[name]?.objectValue
            {
                patched[name] = .object(patch(inner, from: old, to: new))
            }
        }
        return patched
    }

    /// The changes up to the present version that the person does not know: `score 80 → 88`, a text for each field.
    func changes(to present: RecordSnapshot) -> [String] {
        let fields = RecordDifference.lines(from: object ?? JSONObject(), to: present.object ?? JSONObject())
        return fields + (hasSameFindings(as: present) ? [] : ["other findings"])
    }

    /// - Returns: the present version where a list has shown all that is different in it: that it is returned, and why.
    func seeing(returned present: RecordSnapshot) -> RecordSnapshot? {
        guard let known = object, let stored = present.object, hasSameFindings(as: present) else { return nil }
        let shown = [RecordConflict.status, RecordConflict.review]
        let fields = RecordDifference.fields(from: known, to: stored)
        return fields.allSatisfy { shown.contains($0.path) } ? present : nil
    }

    private func hasSameFindings(as other: RecordSnapshot) -> Bool {
        records.filter { $0.key != reference } == other.records.filter { $0.key != reference }
    }

    /// Some fields were named to the person with their present values.
    mutating func see(fields: [FieldPath], of stored: JSONObject) {
        guard var known = records[reference] else { return }
        for path in fields { known = path.copied(from: stored, to: known) }
        records[reference] = known
    }
}

extension FieldDatabase {
    /// Makes a change in one transaction with the look whether a record still is as a person knows it.
    ///
    /// - Returns: `nil` where it is not; nothing is changed then.
    func ifStill<Value>(_ known: RecordSnapshot, change: () throws -> Value) throws -> Value? {
        try database.inBatch {
            try RecordSnapshot(of: known.reference, in: self) == known ? change() : nil
        }
    }
}
