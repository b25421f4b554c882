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
    public init?(_ kind: RecordKind, id: String, object: JSONObject) {
        let contested = ContestedValues(of: object)
        guard !contested.isEmpty else { return nil }
        self.kind = kind
        self.id = id
        self.object = object
        title = object.title(of: kind) ?? id
        let values = contested.fields
        let current = ContestedValues.present(values, in: object)
        fields = values.compactMap { path, values in
            ContestedField(path, values: values, current: current[path], in: object)
        }
        .sorted { $0.path.name.utf8.lexicographicallyPrecedes($1.path.name.utf8) }
        deletion = contested.values.first { $0.subject == .deletion }?.stamp
        if fields.isEmpty, deletion == nil { return nil }
    }
}

/// A field with its value in the record, and the other values that were typed for it.
public struct ContestedField: Sendable, Hashable {
    public let path: FieldPath
    public let current: ContestedValue
    /// At least one.
    public let others: [ContestedValue]

    init?(_ path: FieldPath, values: [ContestedValue], current: JSONValue?, in object: JSONObject) {
        others = values.filter { !ValueOrder.isSame($0.value, and: current) }
        guard !others.isEmpty else { return nil }
        self.path = path
        let known = values.first { ValueOrder.isSame($0.value, and: current) }
        self.current = known ?? ContestedValue(.field(path), value: current, stamp: VersionStamp(of: object))
    }
}

extension RecordEnvelope {
    /// A contested value that a person saw and replaced is no longer asked about.
    mutating func forgetOverwritten(before: JSONObject, after: JSONObject) {
        guard rest[ContestedValues.member] != nil else { return }
        ContestedValues.afterEdit(from: before, to: after).write(to: &rest)
    }
}
