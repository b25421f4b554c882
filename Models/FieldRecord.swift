import DocumentValues

/// A record of the field application: a typed view of a JSON document in a collection of the scope `field`.
///
/// Reading keeps the members it does not know, so that a laptop with an older version never drops members of a newer
/// one. An optional member of a wrong type is kept as it is until a save sets it, and named by `problems()`, like wrong
/// values; without a mandatory member the record cannot be read.
public protocol FieldRecord: Codable, Sendable, Hashable, Identifiable where ID == String {
    /// The members of this kind of records. Those of every record are the `RecordEnvelope`'s.
    associatedtype Key: MemberKey

    static var kind: RecordKind { get }
    /// Goes up when an older program would misread the written records.
    static var schemaVersion: Int { get }
    /// Schemas of documents in the same collection that another type reads; none unless a type says so.
    static var otherSchemas: Set<Int> { get }

    var id: String { get set }
    var envelope: RecordEnvelope { get set }

    /// Reads the record's own fields; the envelope is put in place afterwards.
    init(id: String, reading reader: inout RecordReader)
    /// Writes the record's own fields.
    func write(to writer: inout RecordWriter)
    /// The problems of the record's own values.
    func ownProblems() -> [FieldProblem]
    /// A line for a list: the name of a site, the text of a finding.
    var title: String { get }
}

/// Two records are the same if their stored forms are. Members compared one by one as `String`s would take two
/// spellings of an accent for one.
extension FieldRecord {
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isExactly(right.id) && left.object == right.object
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(Name(id)) }
}

extension FieldRecord {
    public static var collection: CollectionName { kind.collection }

    public static var otherSchemas: Set<Int> { [] }

    public var district: District? { envelope.district }
    public var channels: [String] { envelope.channels }

    /// Everything that is wrong with the record's values; empty for a good one.
    public func problems() -> [FieldProblem] {
        var problems = envelope.damage + ownProblems() + envelope.problems()
        if !DocumentIDRules.isValid(id) {
            problems.append(
                FieldProblem("id", message: "must be 1 to 240 bytes and not begin with '_', but is '\(id)'"))
        }
        return problems
    }

    public func validate() throws(RecordError) { try refuse(problems()) }

    /// Accepts problems that were there before: a change may correct them or leave them.
    public func validate(over before: Self) throws(RecordError) {
        let known = Set(before.problems())
        try refuse(problems().filter { !known.contains($0) })
    }

    private func refuse(_ problems: [FieldProblem]) throws(RecordError) {
        if !problems.isEmpty { throw RecordError(kind: Self.kind, id: id, problems: problems) }
    }

    /// Reads a document's body.
    public init(id: String, body: [UInt8]) throws(RecordError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: body)
        } catch {
            throw RecordError(
                kind: Self.kind, id: id, problems: [FieldProblem("body", message: "is not readable: \(error)")])
        }
        try self.init(id: id, object: object)
    }

    public init(id: String, object: JSONObject) throws(RecordError) {
        var reader = RecordReader(object)
        let version = reader.integer(RecordEnvelope.Key.schema) ?? 1
        guard !Self.otherSchemas.contains(version) else {
            let problem = FieldProblem("schema", message: "is \(version), which this command does not read")
            throw RecordError(kind: Self.kind, id: id, problems: [problem], isOfOtherType: true)
        }
        guard version <= Self.schemaVersion else {
            let advice = "was written by a newer Fieldbook (version \(version) of the record); update this program"
            throw RecordError(kind: Self.kind, id: id, problems: [FieldProblem("schema", message: advice)])
        }
        let type = reader.text(RecordEnvelope.Key.type, isVital: true)
        if let type, type != Self.kind.rawValue {
            reader.note("type", because: "must be '\(Self.kind)', but is '\(type)'")
        }
        self.init(id: id, reading: &reader)
        envelope = RecordEnvelope(reading: &reader)
        envelope.rest = reader.rest
        envelope.damage = reader.problems
        envelope.damagedPhotos = reader.damagedPhotos
        if reader.isUnreadable { throw RecordError(kind: Self.kind, id: id, problems: reader.problems) }
    }

    /// The document's body as a tree, without the id.
    public var object: JSONObject {
        var writer = RecordWriter()
        writer.set(RecordEnvelope.Key.type, to: Self.kind.rawValue)
        writer.set(RecordEnvelope.Key.schema, to: Self.schemaVersion)
        write(to: &writer)
        writer.append(envelope.damagedPhotos, toList: "photos")
        envelope.write(to: &writer)
        return writer.object
    }

    /// The document's body.
    public var body: [UInt8] { object.bytes }
}

/// With any coder a record is its body and a member `_id`, the form of a line of JSON in an export.
extension FieldRecord {
    public init(from decoder: any Decoder) throws {
        var object = try JSONObject(from: decoder)
        guard let id = object["_id"]?.stringValue else {
            throw RecordError(kind: Self.kind, id: "", problems: [FieldProblem("_id", message: "is missing")])
        }
        object["_id"] = nil
        try self.init(id: id, object: object)
    }

    public func encode(to encoder: any Encoder) throws { try identifiedObject.encode(to: encoder) }

    /// The body with the id in `_id`, first.
    public var identifiedObject: JSONObject {
        JSONObject(members: [JSONObject.Member(key: "_id", value: .string(id))] + object.members)
    }
}
