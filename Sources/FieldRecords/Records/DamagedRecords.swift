import DocumentStore
import DocumentValues
import FieldModels

/// Records that another program has written without the mandatory members of their kind.
public struct DamagedRecords: RecordService {
    let store: RecordStore
    let journal: ChangeJournal

    /// The problems that keep a record from being read; empty for a readable one, and for a text that is no JSON at
    /// all.
    public func damage(of kind: RecordKind, _ id: String) throws -> [FieldProblem] {
        guard let stored = try collection(of: kind).bodies(of: [id])[0], !stored.isDeleted,
            let body = JSONObject.readable(stored.body)
        else { return [] }
        return Self.problems(of: kind, id: id, body: body)
    }

    /// Sets members of a record that cannot be read without them, even if a sync changes the record at the same time.
    ///
    /// - Returns: the saved record.
    /// - Throws: `RecordError` where it still could not be read; nothing is saved then.
    @discardableResult
    public func mend(
        _ kind: RecordKind, id: String, setting values: JSONObject, by author: Author
    ) throws -> JSONObject {
        let collection = collection(of: kind)
        while true {
            guard let present = try collection.document(id: id) else {
                throw RecordActionError(.notFound, kind: kind, id: id)
            }
            var body = present.body.setting(values)
            body["type"] = .string(kind.rawValue)
            author.stamp(&body)
            let problems = Self.problems(of: kind, id: id, body: body)
            guard problems.isEmpty else { throw RecordError(kind: kind, id: id, problems: problems) }
            let changed = present.toMutable()
            changed.setBody(body)
            if try journal.save(changed, over: present, of: kind, in: collection) { return body }
        }
    }

    private static func problems(of kind: RecordKind, id: String, body: JSONObject) -> [FieldProblem] {
        do throws(RecordError) {
            switch kind {
            case .site: _ = try Site(id: id, object: body)
            case .inspection: _ = try Inspection(id: id, object: body)
            case .finding: _ = try Finding(id: id, object: body)
            case .form: _ = try FormDefinition(id: id, object: body)
            case .assignment: _ = try Assignment(id: id, object: body)
            case .response: _ = try Response(id: id, object: body)
            }
            return []
        } catch {
            return error.problems
        }
    }
}
