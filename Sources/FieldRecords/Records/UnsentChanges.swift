import DocumentStore
import DocumentValues
import FieldModels

/// Changes that a gateway does not take, and that are given up one by one. What is handed in changes by a reviewer alone; but
/// a record that its gateway refuses would otherwise be stuck here with all that was changed in it.
public struct UnsentChanges: RecordService {
    let store: RecordStore

    /// Whether values are those that the gateway has of a record: of its district, and of whose work it is. As its other
    /// fields may be changed by anybody, no refusal is about them.
    public func takesBack(
        _ values: [(field: String, text: String)], of kind: RecordKind, id: String
    ) throws -> Bool {
        guard !values.isEmpty, let body = try unsentBase(of: kind, id) else { return false }
        return values.allSatisfy { value in
            let name = value.field.lowercased()
            guard Self.refusable.containsExactly(name) else { return false }
            return (body[name]?.stringValue ?? "").isExactly(value.text.trimmingSpaces)
        }
    }

    private static let refusable = ["district", "inspector"]

    /// Who of a record that was given to somebody else has it at the gateway: an empty name where nobody has; `nil` where that
    /// is not known.
    public func inspectorAtGateway(of kind: RecordKind, _ id: String) throws -> String? {
        try unsentBase(of: kind, id).map { $0["inspector"]?.stringValue ?? "" }
    }

    /// A record that comes back into the district in which the gateway has it is seen by whom it was seen by: while its
    /// district is open, that is more than one.
    public func restoreChannels(of record: inout some FieldRecord) throws {
        guard let body = try unsentBase(of: type(of: record).kind, record.id),
            let district = record.district, body["district"]?.stringValue.isExactly(district.code) == true,
            let channels = body["channels"]?.arrayValue?.compactMap(\.stringValue), !channels.isEmpty
        else { return }
        record.envelope.channels = channels
    }

    private func unsentBase(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        guard try collection(of: kind).exchange(of: id)?.isSent == false else { return nil }
        return try gatewayBody(of: kind, id)
    }
}
