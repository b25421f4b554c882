import DocumentValues
import FieldModels

/// A record about which a person has to decide: fields that were given different values on several devices, or a
/// deletion that another person's edit overruled.
public struct RecordConflict: Sendable, Hashable, Identifiable {
    public let kind: RecordKind
    @Exact public private(set) var id: String
    /// The record's title in lists.
    @Exact public private(set) var title: String
    /// In the order of their names; those of photos in the order of the photos.
    public let fields: [ContestedField]
    /// The deletion of the record, as far as it is known; `nil` if it was not deleted.
    public let deletion: VersionStamp?
    /// The record as it is.
    public let object: JSONObject

    /// The field that says why an inspection is returned.
    public static let review = FieldPath("review")
    /// The field that says whether it is approved, returned or anything else.
    public static let status = FieldPath("status")

    /// `nil` where there is nothing to decide.
    public init?(_ kind: RecordKind, id: String, object: JSONObject) {
        let contested = ContestedValues(of: object)
        guard !contested.isEmpty else { return nil }
        self.kind = kind
        self.id = id
        self.object = object
        title = object.title(of: kind) ?? id
        let values = contested.fields.filter { MergeRule($0.key.member, of: kind).isDecidedByPeople }
        let current = ContestedValues.present(values, in: object)
        // There may be thousands of both.
        let changes = FieldChanges(of: object)
        fields = values.compactMap { path, values in
            ContestedField(
                path, values: values, current: current[path], stamp: changes.stamp(at: path, in: object))
        }
        .sorted(by: Self.order(photos: Self.photoKeys(of: object)))
        deletion = contested.values.first { $0.subject == .deletion }?.stamp
        if fields.isEmpty, deletion == nil { return nil }
    }

    /// The same, with fewer questions; `nil` if there are none.
    func with(fields: [ContestedField], deletion: VersionStamp?) -> RecordConflict? {
        fields.isEmpty && deletion == nil ? nil : RecordConflict(self, fields: fields, deletion: deletion)
    }

    private init(_ whole: RecordConflict, fields: [ContestedField], deletion: VersionStamp?) {
        (kind, object, self.fields, self.deletion) = (whole.kind, whole.object, fields, deletion)
        id = whole.id
        title = whole.title
    }

    /// The last change of the record; `nil` if it was not changed since it was made.
    public var lastChange: VersionStamp? {
        object["changedBy"]?.stringValue == nil ? nil : VersionStamp(of: object)
    }

    /// The values that this person has given to fields, as far as it is noted, but for those about which there is to decide.
    public var lastGiven: [(path: FieldPath, value: ContestedValue)] {
        guard let last = lastChange else { return [] }
        let changes = FieldChanges(of: object)
        let open = Set(fields.map(\.path))
        let paths = changes.fields(by: last.by).filter {
            !open.contains($0) && MergeRule($0.member, of: kind).isDecidedByPeople
        }
        let present = ContestedValues.present(Dictionary(uniqueKeysWithValues: paths.map { ($0, ()) }), in: object)
        return paths.map { path in
            let stamp = changes.stamp(at: path, in: object)
            return (path, ContestedValue(.field(path), value: present[path], stamp: stamp))
        }
    }

    /// The keys of the record's photos, in their order.
    public var photoKeys: [Name] { Self.photoKeys(of: object) }

    private static func photoKeys(of object: JSONObject) -> [Name] {
        ItemKeys(object["photos"]?.arrayValue ?? []).keys
    }

    private static func order(photos: [Name]) -> (ContestedField, ContestedField) -> Bool {
        let indices = Dictionary(zip(photos, photos.indices), uniquingKeysWith: { first, _ in first })
        return { left, right in
            if let one = left.path.photoKey, let other = right.path.photoKey, one != other {
                let found = (indices[one] ?? photos.count, indices[other] ?? photos.count)
                if found.0 != found.1 { return found.0 < found.1 }
            }
            return left.path.name.utf8.lexicographicallyPrecedes(right.path.name.utf8)
        }
    }
}

/// A field with its value in the record, and the other values that were typed for it.
public struct ContestedField: Sendable, Hashable {
    public let path: FieldPath
    public let current: ContestedValue
    /// At least one.
    public let others: [ContestedValue]

    /// - Parameter stamp: who gave the record its value.
    init?(_ path: FieldPath, values: [ContestedValue], current: JSONValue?, stamp: VersionStamp) {
        others = values.filter { !ValueOrder.isSame($0.value, and: current) }
        guard !others.isEmpty else { return nil }
        self.path = path
        let known = values.first { ValueOrder.isSame($0.value, and: current) }
        // The last user who changed the record need not have typed this.
        self.current = known ?? ContestedValue(.field(path), value: current, stamp: stamp)
    }
}

extension RecordEnvelope {
    /// Something new is said of these fields: whatever was to be decided about them is decided.
    mutating func settle(_ paths: Set<FieldPath>) {
        guard rest[ContestedValues.member] != nil else { return }
        var contested = ContestedValues(of: rest)
        contested.remove(paths)
        contested.write(to: &rest)
    }

    /// A contested value that a person saw and replaced is no longer asked about.
    mutating func forgetOverwritten(before: JSONObject, after: JSONObject) {
        guard rest[ContestedValues.member] != nil else { return }
        ContestedValues.afterEdit(from: before, to: after).write(to: &rest)
    }
}
