import DocumentValues
import FieldModels

/// Who made a version of a record, when by that device's clock, and on which device. Any part may be unknown.
public struct VersionStamp: Sendable, Hashable {
    @Exact public var by: String?
    public var at: Timestamp?
    @Exact public var device: String?

    public init(by: String?, at: Timestamp?, device: String?) {
        self.by = by
        self.at = at
        self.device = device
    }

    /// Who changed the record last, or else made it.
    init(of object: JSONObject) {
        let isChanged = object["changedBy"]?.stringValue != nil || object["changedAt"]?.stringValue != nil
        by = object[isChanged ? "changedBy" : "createdBy"]?.stringValue
        at = object[isChanged ? "changedAt" : "createdAt"]?.stringValue.flatMap { Timestamp($0) }
        device = object["device"]?.stringValue
    }

    /// Reads the members of an entry.
    init(entry object: JSONObject) {
        by = object["by"]?.stringValue
        at = object["at"]?.stringValue.flatMap { Timestamp($0) }
        device = object["device"]?.stringValue
    }

    func write(to object: inout JSONObject) {
        object["by"] = by.map { .string($0) }
        object["at"] = at.map { .string($0.description) }
        object["device"] = device.map { .string($0) }
    }

    static let members = ["by", "at", "device"]
}
