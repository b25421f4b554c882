import DocumentStore
import DocumentValues
import FieldModels

/// The values of conflicts that the last commands have shown. A decision is a command of its own, and a sync between the two
/// may have brought values that the user has not seen.
///
/// It is a document that is never exchanged. It has digests only, so that no value of a record that is taken from the
/// laptop stays in it.
struct ShownConflicts {
    private struct Entry {
        let record: String
        let fields: [String]
    }

    private var entries: [Entry]

    init(_ json: [UInt8]?) {
        let elements = json.flatMap { JSONObject.readable($0) }?["shown"]?.arrayValue ?? []
        entries = elements.compactMap { element in
            guard let entry = element.objectValue, let record = entry["record"]?.stringValue else { return nil }
            return Entry(record: record, fields: (entry["fields"]?.arrayValue ?? []).compactMap(\.stringValue))
        }
    }

    var json: [UInt8] {
        let elements = entries.map { entry -> JSONValue in
            ["record": .string(entry.record), "fields": .array(entry.fields.map { .string($0) })]
        }
        return JSONObject(members: [JSONObject.Member(key: "shown", value: .array(elements))]).bytes
    }

    mutating func note(_ conflict: RecordConflict) {
        let record = Self.digest(of: conflict.kind, id: conflict.id)
        entries.removeAll { $0.record.isExactly(record) }
        entries.append(Entry(record: record, fields: conflict.fields.map(Self.digest)))
        entries.removeFirst(max(0, entries.count - FieldRecordsLimits.shownConflicts))
    }

    /// The fields of a conflict that have the values that were shown; `nil` where it was not shown.
    func seen(of conflict: RecordConflict) -> [ContestedField]? {
        let record = Self.digest(of: conflict.kind, id: conflict.id)
        guard let entry = entries.last(where: { $0.record.isExactly(record) }) else { return nil }
        return conflict.fields.filter { entry.fields.containsExactly(Self.digest($0)) }
    }

    private static func digest(of kind: RecordKind, id: String) -> String { SourceDigest.of([kind.rawValue, id]) }

    private static func digest(_ field: ContestedField) -> String {
        let values = ([field.current] + field.others).map(\.value)
        return SourceDigest.of([field.path.value.description] + values.map { $0?.description ?? "" })
    }
}

extension Conflicts {
    private static let shown = "shown"

    /// Notes that the user has looked at the contested values of a record.
    public func noteShown(_ conflict: RecordConflict) throws {
        let collection = try database.createCollection(name: Self.shown, scope: "laptop")
        var shown = ShownConflicts(try collection.bodies(of: [Self.shown])[0]?.body)
        shown.note(conflict)
        try collection.save(bodies: [(Self.shown, shown.json)])
    }

    /// The fields of a conflict that have the values that the user has seen last; `nil` if the user has not looked.
    public func shownFields(of conflict: RecordConflict) throws -> [ContestedField]? {
        guard let collection = try database.collection(name: Self.shown, scope: "laptop") else { return nil }
        return ShownConflicts(try collection.bodies(of: [Self.shown])[0]?.body).seen(of: conflict)
    }
}
