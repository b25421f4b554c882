import DocumentStore
import DocumentValues
import FieldModels

/// The conflicts that people have to decide, and their decisions.
public struct Conflicts: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let changePages: ChangePages
    let moves: Moves

    /// Everything that is to be decided.
    public func all() throws -> [RecordConflict] {
        var watch = ConflictWatch()
        return try watch.conflicts(in: store)
    }

    /// `nil` where there is nothing to decide, or no such record.
    public func conflict(of kind: RecordKind, _ id: String) throws -> RecordConflict? {
        try RecordConflict(kind, id: id, in: store)
    }

    /// The number of a kind's records in which a person has to decide about values; records that are not here do not
    /// count.
    ///
    /// - Parameter user: `nil` if no user has signed in: counts the questions to all users.
    public func count(of kind: RecordKind, _ ids: [String], for user: String?) throws -> Int {
        var count = 0
        var questions = OpenQuestions(of: user, in: store)
        for start in stride(from: 0, to: ids.count, by: FieldRecordsLimits.importBatch) {
            let part = Array(ids[start..<min(start + FieldRecordsLimits.importBatch, ids.count)])
            for (id, stored) in zip(part, try collection(of: kind).bodies(of: part)) {
                guard let stored, !stored.isDeleted, let body = JSONObject.readable(stored.body) else { continue }
                guard let conflict = RecordConflict(kind, id: id, object: body) else { continue }
                if try questions.about(conflict) != nil { count += 1 }
            }
        }
        return count
    }

    /// Gives fields the values that a person has chosen among the contested ones, or other ones, and forgets the rest.
    ///
    /// - Parameters:
    ///   - conflict: as that person saw it.
    ///   - choices: by field; `null` clears it. Fields that are not among them stay undecided.
    ///   - keepsRecord: decides that the record, which another user deleted, is kept.
    /// - Throws: `RecordActionError` if a sync has changed the conflict since, or if a district is chosen without the site
    ///   that is to be decided, too, and none of the values goes with it; `RecordError` where the record would not be a good
    ///   one with these values. Nothing is saved then.
    /// - Returns: the record as it is now.
    @discardableResult
    public func decide(
        _ conflict: RecordConflict, choices: [FieldPath: JSONValue], keepsRecord: Bool = false, by author: Author
    ) throws -> JSONObject {
        let choices = try withSiteAndDistrict(choices, of: conflict)
        // No other process writes between the look at the record and the decision about it.
        return try database.inBatch {
            guard let document = try collection(of: conflict.kind).document(id: conflict.id) else {
                throw RecordActionError(.notFound, kind: conflict.kind, id: conflict.id)
            }
            let present = RecordConflict(conflict.kind, id: conflict.id, object: document.body)
            guard Self.isSame(conflict, present: present, paths: Set(choices.keys)) else {
                throw RecordActionError(.changedMeanwhile, kind: conflict.kind, id: conflict.id)
            }
            var decided = Self.decided(
                document.body, conflict: conflict, choices: choices, keepsRecord: keepsRecord, by: author)
            if conflict.kind == .inspection { try noteApproval(in: &decided, before: document.body, conflict.id) }
            try Self.check(decided, over: document.body, of: conflict.kind, id: conflict.id)
            try save(decided, over: document, of: conflict, choices: choices, by: author)
            return decided
        }
    }

    /// Saves the findings of an inspection, too, if a site or a day was chosen for it.
    private func save(
        _ decided: JSONObject, over document: Document, of conflict: RecordConflict,
        choices: [FieldPath: JSONValue], by author: Author
    ) throws {
        let changed = document.toMutable()
        changed.setBody(decided)
        guard try journal.save(changed, over: document, of: conflict.kind, in: collection(of: conflict.kind)) else {
            throw RecordActionError(.changedMeanwhile, kind: conflict.kind, id: conflict.id)
        }
        // A question that a person has decided here is not asked again.
        try changePages.change(RecordReference(conflict.kind, id: conflict.id)) {
            $0.forgettingQuestions(about: Set(choices.keys))
        }
        guard conflict.kind == .inspection else { return }
        var followed: Set<Followed> = []
        if choices[FieldPath("site")] != nil { followed.insert(.site) }
        if choices[FieldPath("date")] != nil { followed.insert(.day) }
        try moves.bringFindingsAlong(ofInspections: [Name(conflict.id)], in: followed, by: author, isUndoable: true)
    }

    /// An inspection that a decision approves is approved with its findings and photos as they are here.
    private func noteApproval(in decided: inout JSONObject, before: JSONObject, _ id: String) throws {
        guard !ValueOrder.isSame(decided["status"], and: before["status"]) else { return }
        guard decided["status"]?.stringValue == Inspection.Status.approved.rawValue else {
            decided[ApprovedFindings.member] = nil
            decided[ApprovedPhotos.member] = nil
            return
        }
        let findings = try findings.all(ofInspection: id).records
        let photos = try Inspection(id: id, object: decided).photos
        decided[ApprovedFindings.member] = ApprovedFindings.note(of: findings).value
        decided[ApprovedPhotos.member] = .array(photos.map { .string(ApprovedPhotos.digest(of: $0)) })
    }

    private static func isSame(_ seen: RecordConflict, present: RecordConflict?, paths: Set<FieldPath>) -> Bool {
        func fields(_ conflict: RecordConflict?) -> [FieldPath: ContestedField] {
            let chosen = (conflict?.fields ?? []).filter { paths.contains($0.path) }
            return Dictionary(chosen.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        }
        return fields(seen) == fields(present)
    }

    static func decided(
        _ object: JSONObject, conflict: RecordConflict, choices: [FieldPath: JSONValue], keepsRecord: Bool,
        by author: Author
    ) -> JSONObject {
        // A photo that is to stay stays as it is.
        let written = choices.filter { path, value in !path.isItem || value.isNull }
        var result = FieldTree(written).written(to: object)
        if let district = choices[FieldPath("district")] { result.leaveDistricts(of: conflict, except: district) }
        var contested = ContestedValues(of: result)
        contested.removeItems(before: object, after: result)
        contested.remove(Set(choices.keys))
        if keepsRecord { contested.removeDeletion() }
        contested.write(to: &result)
        author.stamp(&result)
        let kept = choices.filter { path, value in !path.isItem || !value.isNull }
        FieldChanges.afterEdit(from: object, to: result, of: conflict.kind, decided: Set(kept.keys)).write(to: &result)
        return result
    }

    private static func check(
        _ object: JSONObject, over before: JSONObject, of kind: RecordKind, id: String
    ) throws {
        func check<Record: FieldRecord>(_: Record.Type) throws {
            let decided = try Record(id: id, object: object)
            // The chosen values repair a record that could not be read before.
            guard let before = try? Record(id: id, object: before) else { return try decided.validate() }
            try decided.validate(over: before)
        }
        switch kind {
        case .site: try check(Site.self)
        case .inspection: try check(Inspection.self)
        case .finding: try check(Finding.self)
        case .form: try check(FormDefinition.self)
        case .assignment: try check(Assignment.self)
        case .response: try check(Response.self)
        }
    }
}

extension JSONObject {
    /// While it was open in which district a record is, the people of each saw it.
    fileprivate mutating func leaveDistricts(of conflict: RecordConflict, except chosen: JSONValue) {
        guard let field = conflict.fields.first(where: { $0.path == FieldPath("district") }),
            let code = chosen.stringValue
        else { return }
        let all = ([field.current] + field.others).compactMap { $0.value?.stringValue }
        let left = Set(all.filter { !$0.isExactly(code) }.map { Name(District.channelPrefix + $0) })
        let own = District.channelPrefix + code
        var channels = (self["channels"]?.arrayValue ?? []).filter { channel in
            channel.stringValue.map { !left.contains(Name($0)) } ?? true
        }
        let isThere = channels.contains { $0.stringValue?.isExactly(own) == true }
        if !isThere { channels.insert(.string(own), at: 0) }
        self["channels"] = .array(channels)
    }
}

extension RecordConflict {
    /// `nil` where there is nothing to decide, or no such record.
    init?(_ kind: RecordKind, id: String, in store: RecordStore) throws {
        guard let document = try store.collection(of: kind).document(id: id) else { return nil }
        self.init(kind, id: id, object: document.body)
    }
}
