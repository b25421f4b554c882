import DocumentValues
import FieldModels

/// A record about which a person has to decide: fields that were given different values on several devices, or a
/// deletion that somebody else's edit overruled.
public struct RecordConflict: Sendable, Hashable, Identifiable {
    public let kind: RecordKind
    @Exact public private(set) var id: String
    /// What a list shows of the record.
    @Exact public private(set) var title: String
    /// In the order of their names.
    public let fields: [ContestedField]
    /// Who deleted the record, as far as that is known; `nil` where nobody did.
    public let deletion: VersionStamp?
    /// The record as it is.
    public let object: JSONObject

    /// `nil` where there is nothing to decide.
    public init?(_ kind: RecordKind, _ id: String, _ object: JSONObject) {
        let contested = ContestedValues(of: object)
        guard !contested.isEmpty else { return nil }
        self.kind = kind
        self.id = id
        self.object = object
        title = object.title(of: kind) ?? id
        let values = contested.fields
        let standing = FieldTree(values.mapValues { _ in }).read(object)
        fields = values.compactMap { path, values in
            ContestedField(path, values, standing: standing[path], in: object)
        }
        .sorted { $0.path.name.utf8.lexicographicallyPrecedes($1.path.name.utf8) }
        deletion = contested.values.first { $0.subject == .deletion }?.stamp
        if fields.isEmpty, deletion == nil { return nil }
    }
}

/// A field with the value that stands and those that do not.
public struct ContestedField: Sendable, Hashable {
    public let path: FieldPath
    public let standing: ContestedValue
    /// At least one.
    public let others: [ContestedValue]

    init?(_ path: FieldPath, _ values: [ContestedValue], standing: JSONValue?, in object: JSONObject) {
        others = values.filter { !ValueOrder.isSame($0.value, standing) }
        guard !others.isEmpty else { return nil }
        self.path = path
        let known = values.first { ValueOrder.isSame($0.value, standing) }
        self.standing = known ?? ContestedValue(.field(path), standing, VersionStamp(of: object))
    }
}

extension RecordEnvelope {
    /// A contested value that a person saw and replaced is no longer asked about.
    mutating func forgetOverwritten(before: JSONObject, after: JSONObject) {
        guard rest[ContestedValues.member] != nil else { return }
        ContestedValues.afterEdit(before, after).write(to: &rest)
    }
}
